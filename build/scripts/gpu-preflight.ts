/** What CUDA needs on this machine, told from what the system's own tools say. Pure; the texts come in. */

/** What was found; a text is null where its tool is missing or failed. */
export type GpuFindings = Readonly<{
  platform: NodeJS.Platform;
  arch: string;
  /** `nvidia-smi`. */
  nvidiaSmi: string | null;
  /** `ldconfig -p`. */
  libraries: string | null;
}>;

export type GpuNeed = Readonly<{
  name: 'system' | 'driver' | 'cuda' | 'cudnn';
  ok: boolean;
  found: string;
  fix: string | null;
}>;

/** What the runtime's CUDA libraries were built for. */
const cudaMajor = 12;
const cudnnMajor = 9;

const supported = ({ platform, arch }: GpuFindings): GpuNeed => {
  const ok = platform === 'linux' && arch === 'x64';
  const found = `${platform}-${arch}`;
  if (ok) return { name: 'system', ok, found, fix: null };
  const other = platform === 'win32' ? 'DirectML' : platform === 'darwin' ? 'CoreML' : 'WebGPU or the CPU';
  return { name: 'system', ok, found, fix: `The CUDA libraries are published for linux-x64; use ${other} here.` };
};

/** The driver says which CUDA it can run: that of the libraries must not be newer. */
const driver = ({ nvidiaSmi }: GpuFindings): GpuNeed => {
  const version = nvidiaSmi?.match(/Driver Version:\s*([\d.]+)/)?.[1];
  if (!version) {
    return { name: 'driver', ok: false, found: 'none', fix: 'Install the NVIDIA driver (nvidia-smi must work).' };
  }
  const runs = Number(nvidiaSmi?.match(/CUDA Version:\s*(\d+)/)?.[1] ?? 0);
  const found = `${version}, up to CUDA ${runs || 'unknown'}`;
  const ok = runs >= cudaMajor;
  return { name: 'driver', ok, found, fix: ok ? null : `Install a driver that can run CUDA ${cudaMajor}.` };
};

/** Majors of a library in the loader's list, such as 12 of libcudart.so.12. */
const majorsOf = (libraries: string | null, library: string): readonly number[] => [
  ...new Set(
    [...(libraries ?? '').matchAll(new RegExp(`${library}\\.so\\.(\\d+)`, 'g'))].map(([, major]) => Number(major)),
  ),
];

const library = (
  name: 'cuda' | 'cudnn',
  file: string,
  major: number,
  called: string,
  { libraries }: GpuFindings,
): GpuNeed => {
  const majors = majorsOf(libraries, file);
  const found = majors.length === 0 ? 'none' : majors.map((one) => `${file}.so.${one}`).join(', ');
  if (majors.includes(major)) return { name, ok: true, found, fix: null };
  return {
    name,
    ok: false,
    found,
    fix: `Install ${called} ${major} (${file}.so.${major}); another version does not do.`,
  };
};

/** In the order in which to mend them. */
export const gpuNeeds = (findings: GpuFindings): readonly GpuNeed[] => [
  supported(findings),
  driver(findings),
  library('cuda', 'libcudart', cudaMajor, 'the CUDA toolkit', findings),
  library('cudnn', 'libcudnn', cudnnMajor, 'cuDNN', findings),
];
