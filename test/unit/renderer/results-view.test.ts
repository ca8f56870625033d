import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { screens } from '../../../main/contract/screen-names.ts';
import {
  choosePhoto,
  closePhoto,
  find,
  openPhoto,
  setFilter,
  useResultsView,
} from '../../../renderer/results/state.ts';
import { screenNow, useUi } from '../../../renderer/ui-state.ts';

const view = () => useResultsView.getState();
const ui = () => useUi.getState();

describe('ways to a screen', () => {
  beforeEach(() => {
    useResultsView.setState(useResultsView.getInitialState(), true);
    ui().show('results');
  });

  it('leave the photo that fills the screen, be it the results’ own', () => {
    for (const { name } of screens) {
      openPhoto('a');
      useResultsView.setState({ newResults: true });
      ui().setOverlay('palette');
      ui().show(name);
      expect([screenNow(), ui().overlay, view().open, view().photoId, view().newResults]).toEqual([
        name,
        'none',
        false,
        'a',
        false,
      ]);
    }
  });

  it('keep the filter, unless results are asked for', () => {
    setFilter({ labels: ['yes'], statementIds: ['s'] });
    ui().show('library');
    ui().show('results');
    expect(view().filter).toEqual({ labels: ['yes'], statementIds: ['s'] });
    choosePhoto('a');
    ui().showResults({ filter: { folderId: 'f' } });
    expect(view()).toMatchObject({ filter: { folderId: 'f' }, photoId: null, open: false, statementId: null });
    ui().showResults({ filter: { statementIds: ['s'] }, photoId: 'b' });
    expect(view()).toMatchObject({ statementId: 's', photoId: 'b', open: true });
    closePhoto();
    expect(view()).toMatchObject({ photoId: 'b', open: false });
  });

  it('are no matter to what else the window shows', () => {
    openPhoto('a');
    ui().setOverlay('keys');
    expect(view().open).toBe(true);
  });
});

describe('a search', () => {
  it('ranks by fit from the start, keeps its threshold, and ends with an empty text', () => {
    setFilter({ folderId: 'f' });
    find('a dog');
    expect(view().filter.fits).toEqual({ text: 'a dog', likely: true });
    expect([view().filter.folderId, view().byFit]).toEqual(['f', true]);
    useResultsView.setState({ byFit: false });
    setFilter({ fits: { text: 'a dog', likely: false } });
    find('a cat');
    expect([view().filter.fits, view().byFit]).toEqual([{ text: 'a cat', likely: false }, false]);
    find('');
    expect(view().filter).toEqual({ folderId: 'f' });
  });
});

describe('refreshes of the grid', () => {
  let slower: typeof import('../../../renderer/results/live.ts').slower;
  beforeAll(async () => {
    vi.stubGlobal('vouch', {});
    ({ slower } = await import('../../../renderer/results/live.ts'));
  });
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('come at once, then ever more rarely, and none is lost', () => {
    const work = vi.fn();
    const refresh = slower(work);
    refresh.ask();
    refresh.ask();
    expect(work).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(work).toHaveBeenCalledTimes(2);
    refresh.ask();
    vi.advanceTimersByTime(29_999);
    expect(work).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledTimes(3);
    vi.advanceTimersByTime(60_000);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('start over with a run, and end with the window', () => {
    const work = vi.fn();
    const refresh = slower(work);
    refresh.ask();
    vi.advanceTimersByTime(10_000);
    refresh.startOver();
    refresh.ask();
    refresh.ask();
    vi.advanceTimersByTime(10_000);
    expect(work).toHaveBeenCalledTimes(3);
    refresh.ask();
    refresh.end();
    vi.advanceTimersByTime(120_000);
    expect(work).toHaveBeenCalledTimes(3);
  });
});
