"""Views with a length, for checked kernels: an index outside raises IndexError.

They replace the bare pointers of memory.py. A handle then holds the arrays themselves.
"""

# mypy: disable-error-code="no-untyped-call"

import operator
from collections.abc import Callable
from typing import Any

from numba import extending, int64, types
from numba.core import cgutils


class Span(types.Type):
    """Numbers of one type in a row: where they begin, and how many they are."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Span({dtype})")


@extending.register_model(Span)
class _SpanModel(extending.models.StructModel):
    def __init__(self, manager: Any, kind: Span) -> None:
        members = [("data", types.CPointer(kind.dtype)), ("length", types.int64)]
        super().__init__(manager, kind, members)


extending.make_attribute_wrapper(Span, "data", "data")
extending.make_attribute_wrapper(Span, "length", "length")


def span_maker(dtype: Any) -> Callable[[Any], Any]:
    """Return the intrinsic that makes a span of ``dtype``, as large, of an array's numbers."""

    @extending.intrinsic
    def make(typingctx: Any, array: Any) -> Any:
        kind = Span(dtype)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            numbers = context.make_array(signature.args[0])(context, builder, args[0])
            span = cgutils.create_struct_proxy(kind)(context, builder)
            pointer = context.get_value_type(types.CPointer(dtype))
            span.data = builder.bitcast(numbers.data, pointer)
            span.length = numbers.nitems
            return span._getvalue()

        return kind(array), codegen

    return make  # type: ignore[return-value]


@extending.register_jitable
def _checked(span: Any, index: Any) -> int:
    """Return an index as int64; raises IndexError outside the span."""
    place = int64(index)
    if place < 0 or place >= span.length:
        raise IndexError("a kernel reads or writes outside its memory")
    return int(place)


@extending.overload(operator.getitem)
def _get(span: Any, index: Any) -> Any:
    if not isinstance(span, Span):
        return None

    def get(span: Any, index: Any) -> Any:
        return span.data[_checked(span, index)]

    return get


@extending.overload(operator.setitem)
def _set(span: Any, index: Any, value: Any) -> Any:
    if not isinstance(span, Span):
        return None

    def put(span: Any, index: Any, value: Any) -> None:
        span.data[_checked(span, index)] = value

    return put
