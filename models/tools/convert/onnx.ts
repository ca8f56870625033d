/** Writes a graph as an ONNX file: opset 17, IR 8. The same graph always gives the same bytes. */
import onnxProto from 'onnx-proto';
import type { Attribute, Constant, ElementType, Graph, Port } from './graph.ts';

const { onnx } = onnxProto;
const OPSET = 17;
const IR_VERSION = 8;

const DATA_TYPE: Readonly<Record<ElementType, number>> = {
  float32: onnx.TensorProto.DataType.FLOAT,
  float16: onnx.TensorProto.DataType.FLOAT16,
  uint8: onnx.TensorProto.DataType.UINT8,
  int8: onnx.TensorProto.DataType.INT8,
  int32: onnx.TensorProto.DataType.INT32,
  int64: onnx.TensorProto.DataType.INT64,
};

function attributeProto(name: string, value: Attribute) {
  const types = onnx.AttributeProto.AttributeType;
  if (typeof value === 'number') return { name, type: types.INT, i: value };
  if (typeof value === 'string') return { name, type: types.STRING, s: new TextEncoder().encode(value) };
  if ('float' in value) return { name, type: types.FLOAT, f: value.float };
  return { name, type: types.INTS, ints: [...value] };
}

function portProto({ name, type, dims }: Port) {
  const dim = dims?.map((size) => (typeof size === 'number' ? { dimValue: size } : { dimParam: size }));
  return { name, type: { tensorType: { elemType: DATA_TYPE[type], shape: dim && { dim } } } };
}

function tensorProto({ name, type, dims, data }: Constant) {
  return { name, dataType: DATA_TYPE[type], dims: [...dims], rawData: data };
}

export function encodeOnnx(graph: Graph): Uint8Array {
  const model = onnx.ModelProto.create({
    irVersion: IR_VERSION,
    producerName: 'vouch',
    opsetImport: [{ domain: '', version: OPSET }],
    graph: {
      name: graph.name,
      input: graph.inputs.map(portProto),
      output: graph.outputs.map(portProto),
      initializer: [...graph.constants.values()].map(tensorProto),
      node: graph.nodes.map(({ op, inputs, outputs, attributes }) => ({
        name: outputs[0],
        opType: op,
        input: [...inputs],
        output: [...outputs],
        attribute: Object.entries(attributes).map(([name, value]) => attributeProto(name, value)),
      })),
    },
  });
  return onnx.ModelProto.encode(model).finish();
}
