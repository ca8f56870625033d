import { useEffect, useRef, useState } from 'react';

type Typed = Readonly<{
  typed: string;
  setTyped: (text: string) => void;
  /** Tells at once what was typed. */
  tellNow: () => void;
}>;

/** A text while it is typed: its owner gets it, trimmed, once typing rests; a text from elsewhere takes its place. */
export const useTyped = (text: string, tell: (text: string) => void, pauseMs: number): Typed => {
  const [typed, setTyped] = useState(text);
  const known = useRef(text);
  useEffect(() => {
    if (text === known.current) return;
    known.current = text;
    setTyped(text);
  }, [text]);
  const wanted = typed.trim();
  const tellNow = () => {
    if (wanted === known.current) return;
    known.current = wanted;
    tell(wanted);
  };
  const latest = useRef(tellNow);
  latest.current = tellNow;
  useEffect(() => {
    if (wanted === known.current) return;
    // An empty text ends what was asked, which needs no pause.
    const timer = setTimeout(() => latest.current(), wanted === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [wanted, pauseMs]);
  return { typed, setTyped, tellNow };
};
