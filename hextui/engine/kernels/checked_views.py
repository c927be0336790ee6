"""Views with a length, for checked kernels: an index outside raises IndexError.

They replace the bare pointers of memory.py. A handle then holds the arrays themselves.
"""

# mypy: disable-error-code="no-untyped-call"

import operator
from collections.abc import Callable
from typing import Any

from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model


class Span(types.Type):
    """Numbers of one type in a row: where they begin, and how many they are."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Span({dtype})")


@register_model(Span)
class _SpanModel(models.StructModel):
    def __init__(self, manager: Any, kind: Span) -> None:
        members = [("data", types.CPointer(kind.dtype)), ("length", types.int64)]
        super().__init__(manager, kind, members)


def span_maker(dtype: Any) -> Callable[[Any], Any]:
    """Return the intrinsic that makes a span of ``dtype``, as large, of an array's numbers."""

    @intrinsic
    def make(typingctx: Any, array: Any) -> Any:
        kind = Span(dtype)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            held = context.make_array(signature.args[0])(context, builder, args[0])
            span = cgutils.create_struct_proxy(kind)(context, builder)
            pointer = context.get_value_type(types.CPointer(dtype))
            span.data = builder.bitcast(held.data, pointer)
            span.length = held.nitems
            return span._getvalue()

        return kind(array), codegen

    return make  # type: ignore[return-value]


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Return the address of a number of a span."""
    span = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0])
    return builder.gep(span.data, [args[1]])


@intrinsic
def _span_length(typingctx: Any, span: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0]).length

    return types.int64(span), codegen


@intrinsic
def _span_load(typingctx: Any, span: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, signature, args))

    return span.dtype(span, types.int64), codegen


@intrinsic
def _span_store(typingctx: Any, span: Any, index: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature, args))

    return types.void(span, types.int64, span.dtype), codegen


# numba's types for intrinsics count the typing context as an argument
_length: Any = _span_length
_load: Any = _span_load
_store: Any = _span_store


@overload(operator.getitem)
def _get(span: Any, index: Any) -> Any:
    if not isinstance(span, Span):
        return None

    def get(span: Any, index: Any) -> Any:
        place = int64(index)
        if place < 0 or place >= _length(span):
            raise IndexError("a kernel reads outside its memory")
        return _load(span, place)

    return get


@overload(operator.setitem)
def _set(span: Any, index: Any, value: Any) -> Any:
    if not isinstance(span, Span):
        return None

    def put(span: Any, index: Any, value: Any) -> None:
        place = int64(index)
        if place < 0 or place >= _length(span):
            raise IndexError("a kernel writes outside its memory")
        _store(span, place, value)

    return put
