import { useEffect, useRef, useState } from 'react';

type Typed = Readonly<{
  typed: string;
  setTyped: (text: string) => void;
  /** Tells at once what was typed. */
  tellNow: () => void;
}>;

/** A text while it is typed: told on, trimmed, once typing rests; one that comes from elsewhere takes its place. */
export const useTyped = (text: string, tell: (text: string) => void, pauseMs: number): Typed => {
  const [typed, setTyped] = useState(text);
  const told = useRef(text);
  useEffect(() => {
    if (text === told.current) return;
    told.current = text;
    setTyped(text);
  }, [text]);
  const wanted = typed.trim();
  const tellNow = () => {
    if (wanted === told.current) return;
    told.current = wanted;
    tell(wanted);
  };
  const latest = useRef(tellNow);
  latest.current = tellNow;
  useEffect(() => {
    if (wanted === told.current) return;
    // An empty text ends what was asked, which needs no pause.
    const timer = setTimeout(() => latest.current(), wanted === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [wanted, pauseMs]);
  return { typed, setTyped, tellNow };
};
