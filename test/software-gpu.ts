/** The software Vulkan that Debian's chromium package carries: a WebGPU device for machines without a GPU. */
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const chromium = '/usr/lib/chromium';
const driver = join(chromium, 'vk_swiftshader_icd.json');
const here = existsSync(driver) && existsSync(join(chromium, 'libvulkan.so.1'));

/** Environment of a process that is to use it; undefined where the package is missing. */
export const softwareGpu = (): Readonly<Record<string, string>> | undefined => {
  if (!here) {
    console.warn('not run: WebGPU needs the package chromium (its software Vulkan)');
    return undefined;
  }
  // Only the loader: with all of chromium's libraries in reach, Electron would take them for its own.
  const folder = mkdtempSync(join(tmpdir(), 'vouch-vulkan-'));
  symlinkSync(join(chromium, 'libvulkan.so.1'), join(folder, 'libvulkan.so.1'));
  return { VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: folder, XDG_RUNTIME_DIR: folder };
};
