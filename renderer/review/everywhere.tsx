/** What the review does and offers on every screen: its queues, orders and views by name, in the palette. */
import { useEffect } from 'react';
import { vouch } from '../data/call.ts';
import { useDeciding } from './deciding.ts';
import { useReviewNavigation } from './navigation.ts';

export const ReviewEverywhere = () => {
  useReviewNavigation();
  useEffect(() => vouch.on('deciding', (progress) => useDeciding.setState({ progress })), []);
  return null;
};
