import { afterEach, describe, expect, it, vi } from 'vitest';
import { NeedsError, needDisplay, needLibraries, needPrograms } from '../../../build/scripts/electron-needs.ts';

afterEach(() => vi.unstubAllEnvs());

describe('what a machine lacks', () => {
  it('is named with the packages that bring it, each once', () => {
    const check = () =>
      needPrograms('A test', { node: 'nodejs', 'no-such-program': 'some-package', 'nor-this': 'some-package' });
    expect(check).toThrow(NeedsError);
    expect(check).toThrow(/no-such-program, nor-this/);
    expect(check).toThrow(/apt-get install some-package$/);
  });

  it('is nothing where all is there', () => {
    expect(() => needPrograms('A test', { node: 'nodejs' })).not.toThrow();
    expect(() => needLibraries(process.execPath)).not.toThrow();
  });

  it.runIf(process.platform === 'linux')('may be a display', () => {
    vi.stubEnv('DISPLAY', '');
    vi.stubEnv('WAYLAND_DISPLAY', '');
    expect(() => needDisplay(false)).toThrow(/xvfb-run/);
    vi.stubEnv('PATH', '/nonexistent');
    expect(() => needDisplay(true)).toThrow(/apt-get install xvfb/);
    vi.stubEnv('DISPLAY', ':1');
    expect(() => needDisplay(true)).not.toThrow();
  });
});
