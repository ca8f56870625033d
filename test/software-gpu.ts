/** The software Vulkan that Chromium and Electron carry: a WebGPU device for machines without a GPU. Linux only. */
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Debian's package chromium has it. */
const chromium = '/usr/lib/chromium';

/** Environment of a process that is to use the one in `folder`; undefined where there is none. */
export const softwareGpu = (folder: string = chromium): Readonly<Record<string, string>> | undefined => {
  const driver = join(folder, 'vk_swiftshader_icd.json');
  const loader = join(folder, 'libvulkan.so.1');
  if (!existsSync(driver) || !existsSync(loader)) {
    console.warn(`not run: WebGPU needs a software Vulkan, and there is none in ${folder}`);
    return undefined;
  }
  // Only the loader: with all of Chromium's libraries in reach, Electron would take them for its own.
  const libraries = mkdtempSync(join(tmpdir(), 'vouch-vulkan-'));
  symlinkSync(loader, join(libraries, 'libvulkan.so.1'));
  return { VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: libraries, XDG_RUNTIME_DIR: libraries };
};
