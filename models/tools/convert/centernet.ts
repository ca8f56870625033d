/**
 * MobileNetV3-CenterNet (Zhou et al. 2019, arXiv:1904.07850): a heat map of object centres for each of the
 * 80 COCO classes and, at each of its cells, how far the box reaches left, up, right and down.
 */
import { type Graph, type GraphBuilder, graphBuilder } from './graph.ts';
import { fuseHardSwish } from './hard-swish.ts';
import { addTfjs, type TfjsModel } from './tfjs.ts';

export const DETECTOR_SIZE = 512;
const DETECTOR_CLASSES = 80;
/** Candidates a photo, best first. */
const CANDIDATES = 64;
const SIDE = 128;
const CELLS = SIDE * SIDE;
/** Tensors after which even a half-precision graph computes in float32. */
export const DETECTOR_HEADS = ['heat', 'reach'] as const;

/** The 64 best local maxima of the heat map (3 x 3 cells), their boxes, and the best score of each class. */
function addDecoder(builder: GraphBuilder): void {
  const { add, addMany, floats, ints } = builder;
  const pooled = add('GlobalMaxPool', ['heat']);
  add('Sigmoid', [add('Reshape', [pooled, ints('maxima_shape', [0, DETECTOR_CLASSES])])], {}, 'maxima');

  // A cell that is not the best of its neighbourhood is pushed far down: cheaper than a comparison and a choice.
  const best = add('MaxPool', ['heat'], { kernel_shape: [3, 3], strides: [1, 1], pads: [1, 1, 1, 1] });
  const shortfall = add('Mul', [add('Sub', [best, 'heat']), floats('push', [], [1e6])]);
  const peaks = add('Sub', ['heat', shortfall]);
  const flat = add('Reshape', [peaks, ints('peaks_shape', [0, DETECTOR_CLASSES * CELLS])]);
  addMany('TopK', [flat, ints('candidates', [CANDIDATES])], ['peak', 'position'], { axis: 1 });
  add('Sigmoid', ['peak'], {}, 'scores');
  add('Div', ['position', ints('cells', [CELLS])], {}, 'classes');

  ints('side', [SIDE]);
  add('Sub', ['position', add('Mul', ['classes', 'cells'])], {}, 'cell');
  add('Div', ['cell', 'side'], {}, 'row');
  add('Sub', ['cell', add('Mul', ['row', 'side'])], {}, 'column');
  ints('last', [2]);
  const [y, x] = ['row', 'column'].map((name) => add('Unsqueeze', [add('Cast', [name], { to: 1 }), 'last']));
  const centre = add('Mul', [
    add('Concat', [x, y, x, y] as string[], { axis: 2 }),
    floats('cell_size', [], [1 / SIDE]),
  ]);

  const reaches = add('Reshape', ['reach', ints('reach_shape', [0, 4, CELLS])]);
  const index = add('Expand', [add('Unsqueeze', ['cell', ints('middle', [1])]), ints('four', [1, 4, 1])]);
  const chosen = add('Transpose', [add('GatherElements', [reaches, index], { axis: 2 })], { perm: [0, 2, 1] });
  const signs = floats(
    'pixel_signs',
    [4],
    [-1, -1, 1, 1].map((sign) => sign / DETECTOR_SIZE),
  );
  const corners = add('Add', [centre, add('Mul', [chosen, signs])]);
  add('Clip', [corners, floats('box_least', [], [0]), floats('box_most', [], [1])], {}, 'boxes');
}

/**
 * Graph `image` uint8 [N, 512, 512, 3] -> `scores` [N, 64] best first, `classes` [N, 64], `boxes` [N, 64, 4]
 * (left, top, right, bottom in 0 to 1 of the picture given), `maxima` [N, 80].
 */
export function centerNet(model: TfjsModel, bytes: Uint8Array): Graph {
  const builder = graphBuilder();
  const image = builder.add('Cast', [builder.add('Transpose', ['image'], { perm: [0, 3, 1, 2] })], { to: 1 });
  const [heat, reach] = addTfjs(builder, model, bytes, {
    input: 'tower_0/images',
    planes: { name: image, channels: 3, height: DETECTOR_SIZE, width: DETECTOR_SIZE, channelsLast: true },
    outputs: ['tower_0/CenternetHead/centernet_cls_output/BiasAdd', 'tower_0/wh'],
  });
  if (!heat || !reach) throw new Error('centernet: outputs missing');
  builder.add('Identity', [heat.name], {}, 'heat');
  builder.add('Identity', [reach.name], {}, 'reach');
  addDecoder(builder);
  const graph = builder.build(
    'detector',
    [{ name: 'image', type: 'uint8', dims: ['N', DETECTOR_SIZE, DETECTOR_SIZE, 3] }],
    [
      { name: 'scores', type: 'float32', dims: ['N', CANDIDATES] },
      { name: 'classes', type: 'int64', dims: ['N', CANDIDATES] },
      { name: 'boxes', type: 'float32', dims: ['N', CANDIDATES, 4] },
      { name: 'maxima', type: 'float32', dims: ['N', DETECTOR_CLASSES] },
    ],
  );
  return fuseHardSwish(graph);
}
