"""Matrix products in 8 bits, as nodes of an ONNX graph.

Weights are quantised per output channel, activations per row (token): onnxruntime's own dynamic quantisation has one
scale per tensor and loses much here, because <s> and </s> carry activations 10-20 times larger than other tokens.
Two further measures: outlier channels of an input are scaled down and the matrix takes the factor up ("smoothing",
after SmoothQuant, arXiv 2211.10438), and where it matters an input is quantised twice, value and remainder.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

from onec_rag_local.embedding.weights import Floats

MICROSOFT = "com.microsoft"  # the domain of onnxruntime's own operators
SYMMETRIC, GELU = 128, 20  # zero points of 8-bit activations; GELU never falls below -0.17
LOWEST_SCALE = {SYMMETRIC: 1e-6, GELU: 0.17 / GELU}  # not 0, and low enough for GELU's minimum
REMAINDER = 1 / 254  # a remainder is at most half a step of the first rounding


def weight_limit() -> int:
    """The largest 8-bit weight: 127, or 63 on x86 without VNNI, whose u8 × s8 products would overflow 16 bits."""
    try:
        processor = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        return 127
    return 63 if "avx2" in processor and "vnni" not in processor else 127


@dataclass(slots=True)
class Nodes:
    """A graph that grows node by node; a value is known by its name, which the methods return.

    `limit` is the largest 8-bit weight. The graph must define `n`, the number of tokens, before products are added.
    """

    limit: int
    nodes: list[NodeProto] = field(default_factory=list)
    constants: dict[str, TensorProto] = field(default_factory=dict)

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """An array under a name; the same name may be given again for the same array."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def number(self, value: float) -> str:
        """One float32."""
        return self.constant(f"number{value}", np.array([value], np.float32))

    def add(self, operation: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: Any) -> str:
        """A node with one output."""
        name = f"{output}/{operation}"
        self.nodes.append(helper.make_node(operation, inputs, [output], name, domain=domain, **attributes))
        return output

    def smooth(self, hidden: str, matrix: Floats, sizes: Floats, output: str) -> tuple[str, Floats]:
        """Moves outlier channels from an input [n, in] into its matrix [out, in]; `sizes` says how large each is."""
        divisor = np.maximum(sizes / np.median(sizes), 1).astype(np.float32) ** np.float32(0.8)
        inverse = self.constant(f"{output}.inverse", (1 / divisor).astype(np.float32))
        return self.add("Mul", [hidden, inverse], f"{output}/smooth"), matrix * divisor

    def linear(self, hidden: str, matrix: Floats, output: str, zero: int = SYMMETRIC, remainder: bool = False) -> str:
        """[n, in] × matrix [out, in] → [n, out], without bias; with `remainder` the input is quantised twice."""
        scales = (np.abs(matrix).max(axis=1) / self.limit).astype(np.float32)
        rounded = np.clip(np.rint(matrix / scales[:, None]), -self.limit, self.limit).astype(np.int8)
        weights = self.constant(f"{output}.W", rounded.T), self.constant(f"{output}.S", scales)
        column, row = self._row_scales(hidden, zero, output)
        values, zeros = self._quantize(hidden, row, zero, f"{output}/q")
        product = self._product(values, zero, weights, 1, f"{output}/product")
        if remainder:
            kept = self.add("DequantizeLinear", [values, row, zeros], f"{output}/kept", axis=0)
            lost = self.add("Sub", [hidden, kept], f"{output}/lost")
            fine = self.add("Mul", [row, self.number(REMAINDER)], f"{output}/fine")
            values, _ = self._quantize(lost, fine, SYMMETRIC, f"{output}/q2")
            second = self._product(values, SYMMETRIC, weights, REMAINDER, f"{output}/product2")
            product = self.add("Add", [product, second], f"{output}/sum")
        return self.add("Mul", [product, column], output)

    def _row_scales(self, hidden: str, zero: int, output: str) -> tuple[str, str]:
        """What one 8-bit step is worth in each row, as [n, 1] and as [n]."""
        source = self.add("Abs", [hidden], f"{output}/abs") if zero == SYMMETRIC else hidden
        axis = self.constant("axis1", np.array([1], np.int64))
        largest = self.add("ReduceMax", [source, axis], f"{output}/largest", keepdims=1)
        step = self.add("Mul", [largest, self.number(1 / (255 - zero))], f"{output}/step")
        column = self.add("Max", [step, self.number(LOWEST_SCALE[zero])], f"{output}/column")
        return column, self.add("Squeeze", [column, axis], f"{output}/row")

    def _quantize(self, hidden: str, row: str, zero: int, output: str) -> tuple[str, str]:
        """8-bit values [n, in] and the zero points [n] that the operator wants beside the scales of the rows."""
        value = numpy_helper.from_array(np.array([zero], np.uint8))
        zeros = self.add("ConstantOfShape", ["n"], f"{output}/zeros", value=value)
        return self.add("QuantizeLinear", [hidden, row, zeros], output, axis=0), zeros

    def _product(self, values: str, zero: int, weights: tuple[str, str], scale: float, output: str) -> str:
        """(values - zero) × weights × the channels' scales × `scale`; the rows' scales are still missing."""
        matrix, scales = weights
        inputs = [values, matrix, self.number(scale), scales, self.constant(f"zero{zero}", np.array([zero], np.uint8))]
        return self.add("MatMulIntegerToFloat", inputs, output, MICROSOFT)
