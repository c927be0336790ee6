"""The ranking of a network in an ONNX file, which the user brings: ``onnx(FILE)``."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Self

from hextui.engine.evaluators.base import Source
from hextui.engine.evaluators.network_policy import NetworkPolicy

if TYPE_CHECKING:
    from hextui.engine.neural.judge import NetworkJudge


@dataclass(frozen=True)
class OnnxPolicy(NetworkPolicy):
    """Ranks as `NetworkPolicy` does, by the network of a file (docs/network.md).

    Raises NetworkFileError where the file cannot be used, or is for another board.
    """

    method = "onnx"
    short = "onnx"
    about = "network in an ONNX file"
    listed: ClassVar[tuple[str, ...]] = ()  # every file has a name of its own
    source = Source(
        authors="ONNX",
        year=2017,
        title="Open Neural Network Exchange",
        where="the format of the file; who made it says how it learned",
        link="https://onnx.ai",
    )

    file: Annotated[str, "The file of the network."]

    @classmethod
    def parse(cls, text: str) -> Self:
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        if not text.strip():
            raise ValueError("its file is missing: onnx(FILE)")
        return cls(text.strip())

    @property
    def name(self) -> str:
        return f"{self.method}({self.file})"

    @property
    def judge(self) -> "NetworkJudge":
        from hextui.engine.neural.onnx_judge import onnx_judge

        return onnx_judge(self.file)
