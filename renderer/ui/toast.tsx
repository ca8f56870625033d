import { X } from 'lucide-react';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as Content,
  UNSTABLE_ToastQueue as Queue,
  UNSTABLE_ToastRegion as Region,
  Text,
} from 'react-aria-components';
import { useWords } from '../i18n/index.ts';
import { Button, IconButton } from './button.tsx';

type Message = Readonly<{
  /** Takes the place of the one before it of the same kind. */
  kind?: string;
  title: string;
  detail?: string;
  bad?: boolean;
  action?: Readonly<{ text: string; run: () => void }>;
}>;

const queue = new Queue<Message>({ maxVisibleToasts: 3 });

const last = new Map<string, string>();

/** Good news goes by itself; bad news stays until it is closed. */
export const toast = (message: Message): void => {
  const { kind } = message;
  const before = kind && last.get(kind);
  if (before) queue.close(before);
  const key = queue.add(message, message.bad ? {} : { timeout: 6000 });
  if (kind) last.set(kind, key);
};

export const Toasts = () => {
  const { t } = useWords();
  return (
    <Region queue={queue} className="toasts" aria-label={t('toast.region')}>
      {({ toast: item }) => (
        <AriaToast toast={item} className={item.content.bad ? 'toast bad' : 'toast'}>
          <Content className="text">
            <Text slot="title" elementType="strong">
              {item.content.title}
            </Text>
            {item.content.detail && <Text slot="description">{item.content.detail}</Text>}
          </Content>
          {item.content.action && (
            <Button
              onPress={() => {
                item.content.action?.run();
                queue.close(item.key);
              }}
            >
              {item.content.action.text}
            </Button>
          )}
          <IconButton slot="close" label={t('action.close')} icon={X} />
        </AriaToast>
      )}
    </Region>
  );
};
