/** Both graphs at every precision, as the bytes of their ONNX files. */
import { halfPrecision, storedAsHalf } from './float16.ts';
import type { Constant } from './graph.ts';
import type { PackGraph, PackGraphs } from './graphs.ts';
import { int8, int8Weights, type Ranges } from './int8.ts';
import { encodeOnnx } from './onnx.ts';

/** The first layers, at the highest resolution, lose most in int8 and gain little. */
const CLASSIFIER_FLOAT_LAYERS = /^(_conv_stem|_blocks\.[01]\.)/;

/** Below this many values a weight of the detector stays as it is; so does a depthwise one. */
const DETECTOR_INT8_LEAST = 16_384;

/** Measured: these hold a seventh of the detector's weights and most of what its counts lose in int8. */
const keptInDetector = ({ dims }: Constant): boolean =>
  dims[1] === 1 || dims.reduce((product, size) => product * size, 1) < DETECTOR_INT8_LEAST;

const fp16 = ({ graph, heads }: PackGraph): Uint8Array => encodeOnnx(halfPrecision(graph, heads));

/**
 * File name in onnx/ -> bytes. The detector computes in float32 even for int8, which there is of weights alone:
 * integer kernels, with its hard swish and its gates between them, were measured slower than float32 and lost a fifth
 * of the objects.
 */
export function packFiles({ classifier, detector }: PackGraphs, ranges: Ranges): ReadonlyMap<string, Uint8Array> {
  const keep = (output: string): boolean => CLASSIFIER_FLOAT_LAYERS.test(output);
  return new Map([
    ['classifier.onnx', encodeOnnx(classifier.graph)],
    ['classifier_fp16.onnx', fp16(classifier)],
    ['classifier_int8.onnx', encodeOnnx(int8(classifier.graph, { heads: classifier.heads, ranges, keep }))],
    ['detector.onnx', encodeOnnx(storedAsHalf(detector.graph))],
    ['detector_fp16.onnx', fp16(detector)],
    ['detector_int8.onnx', encodeOnnx(storedAsHalf(int8Weights(detector.graph, keptInDetector)))],
  ]);
}
