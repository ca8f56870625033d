import { type FormEvent, useState } from 'react';
import { type Tagging, taggingModes } from '../../main/contract/tagging.ts';
import type { FolderView } from '../../main/contract/views.ts';
import { configureFolder } from '../data/actions.ts';
import { useSets } from '../data/queries.ts';
import { useWords } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Switch, TextArea } from '../ui/fields.tsx';
import { folderName } from '../ui/path.ts';
import { Select } from '../ui/select.tsx';

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** No statement set has an empty name. */
const everySet = '';

/** What a person decides for one folder; nothing changes before it is saved. */
export const FolderDialog = ({ folder, onClose }: Readonly<{ folder: FolderView; onClose: () => void }>) => {
  const { t } = useWords();
  const sets = useSets().data ?? [];
  const [watched, setWatched] = useState(folder.watched);
  const [setId, setSetId] = useState(folder.setId ?? everySet);
  const [include, setInclude] = useState(folder.settings.include.join('\n'));
  const [exclude, setExclude] = useState(folder.settings.exclude.join('\n'));
  const [followLinks, setFollowLinks] = useState(folder.settings.followLinks);
  const [tagging, setTagging] = useState<Tagging>(folder.settings.tagging);
  const taggings = taggingModes.map((id) => ({ id, text: t(`folder.tagging.${id}`) }));
  const choices = [
    { id: everySet, text: t('folder.everySet') },
    ...sets.filter(({ archivedAt }) => archivedAt === null).map(({ id, name }) => ({ id, text: name })),
  ];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const settings = { include: linesOf(include), exclude: linesOf(exclude), followLinks, tagging };
    const done = await configureFolder({ folderId: folder.id, watched, setId: setId || null, settings });
    if (done) onClose();
  };
  return (
    <Dialog title={t('folder.title', { name: folderName(folder.path) })} onClose={onClose}>
      <form className="folder-form" onSubmit={(event) => void save(event)}>
        <Switch selected={watched} onChange={setWatched}>
          {t('folder.watch')}
        </Switch>
        <Field label={t('folder.set')}>
          <Select
            label={t('folder.set')}
            value={choices.find(({ id }) => id === setId)?.text ?? setId}
            selected={setId}
            groups={[{ id: 'sets', heading: null, choices }]}
            onChange={setSetId}
          />
        </Field>
        <Field label={t('folder.tagging.label')} note={t(`folder.tagging.${tagging}Note`)}>
          <Select
            label={t('folder.tagging.label')}
            value={t(`folder.tagging.${tagging}`)}
            selected={tagging}
            groups={[{ id: 'tagging', heading: null, choices: taggings }]}
            onChange={(id) => setTagging(id as Tagging)}
          />
        </Field>
        <TextArea label={t('folder.include')} note={t('folder.includeNote')} value={include} onChange={setInclude} />
        <TextArea label={t('folder.exclude')} note={t('folder.excludeNote')} value={exclude} onChange={setExclude} />
        <Switch selected={followLinks} onChange={setFollowLinks}>
          {t('folder.followLinks')}
        </Switch>
        <div className="buttons">
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
