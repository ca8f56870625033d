import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';

type Props = Readonly<{ title: string; wide?: boolean; onClose: () => void; children: ReactNode }>;

export const Dialog = ({ title, wide = false, onClose, children }: Props) => (
  <ModalOverlay className="scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
    <Modal className={wide ? 'modal wide' : 'modal'}>
      <AriaDialog className="dialog">
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);

type ConfirmProps = Readonly<{
  title: string;
  /** The consequence in words and numbers. */
  consequence: ReactNode;
  action: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}>;

export const Confirm = ({ title, consequence, action, danger, busy, onConfirm, onClose }: ConfirmProps) => {
  const { t } = useWords();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{consequence}</p>
      <div className="buttons">
        <Button onPress={onClose} autoFocus>
          {t('action.cancel')}
        </Button>
        <Button kind={danger ? 'danger' : 'primary'} isDisabled={busy} onPress={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
};
