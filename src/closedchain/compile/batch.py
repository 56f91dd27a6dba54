"""LLVM IR of the loop that runs a lane kernel over many states."""

from closedchain.compile.layout import Layout


def batch_ir(kernel: str, name: str, layout: Layout, n_x: int, n_c: int, n_y: int) -> str:
    """The text of `void name(x, c, y, n, ldx, ldc, ldy, scratch)`, which calls a batch kernel of the same module.

    Entry i of state s lies at i*ld + s. Whole blocks of lanes are read and written where they lie; the last states, and
    all states when a streaming kernel meets rows that do not start at whole blocks, go through scratch (lanes * (n_x +
    n_c + n_y) doubles, aligned to whole blocks, n_c counted when per_lane), so that no block needs states or room
    beyond n; spare lanes repeat the last state.
    """
    lanes, per_lane = layout.lanes, layout.per_lane
    xs, cs = n_x * lanes, n_c * lanes if per_lane else 0
    constants = "%cblock" if per_lane else "%c"
    # every bit that would spoil the alignment of a block
    aligned = f"""  %ybits = ptrtoint ptr %y to i64
  %ldbits = mul i64 %ldy, 8
  %bits = or i64 %ybits, %ldbits
  %odd = and i64 %bits, {8 * lanes - 1}
  %direct = icmp eq i64 %odd, 0"""
    return f"""
define void @{name}(ptr noalias %x, ptr noalias %c, ptr noalias %y, i64 %n, i64 %ldx, i64 %ldc, i64 %ldy,
    ptr noalias %scratch) nounwind {{
entry:
  %cblock = getelementptr double, ptr %scratch, i64 {xs}
  %yblock = getelementptr double, ptr %scratch, i64 {xs + cs}
  %some = icmp sgt i64 %n, 0
{aligned if layout.stream else "  %direct = icmp eq i64 0, 0"}
  br i1 %some, label %block, label %done
block:
  %at = phi i64 [ 0, %entry ], [ %next, %advance ]
  %left = sub i64 %n, %at
  %whole = icmp sge i64 %left, {lanes}
  %used = select i1 %whole, i64 {lanes}, i64 %left
  %last = sub i64 %used, 1
  %straight = and i1 %whole, %direct
  br i1 %straight, label %inplace, label %xcopy
inplace:
  %xat = getelementptr double, ptr %x, i64 %at
  %cat = getelementptr double, ptr %c, i64 {"%at" if per_lane else 0}
  %yat = getelementptr double, ptr %y, i64 %at
  call void @{kernel}(ptr %xat, ptr %cat, ptr %yat, i64 %ldx, i64 %ldc, i64 %ldy)
  br label %advance
xcopy:
{_copy_in("x", "%scratch", n_x, lanes, "ccopy")}
ccopy:
{_copy_in("c", "%cblock", n_c if per_lane else 0, lanes, "run")}
run:
  call void @{kernel}(ptr %scratch, ptr {constants}, ptr %yblock, i64 {lanes}, i64 {lanes}, i64 {lanes})
  br label %ycopy
ycopy:
{_copy_out(n_y, lanes)}
advance:
  %next = add i64 %at, {lanes}
  %again = icmp slt i64 %next, %n
  br i1 %again, label %block, label %finish
finish:
{"  fence seq_cst" if layout.stream else ""}
  br label %done
done:
  ret void
}}
"""


def _copy_in(tag: str, block: str, count: int, lanes: int, then: str) -> str:
    """Rows of one block to scratch, lane by lane, with the last state repeated."""
    if count == 0:
        return f"  br label %{then}"
    copies = "\n".join(
        f"""  %{tag}k{lane} = call i64 @llvm.smin.i64(i64 {lane}, i64 %last)
  %{tag}s{lane} = getelementptr double, ptr %{tag}from, i64 %{tag}k{lane}
  %{tag}v{lane} = load double, ptr %{tag}s{lane}, align 8
  %{tag}d{lane} = getelementptr double, ptr %{tag}to, i64 {lane}
  store double %{tag}v{lane}, ptr %{tag}d{lane}, align 8"""
        for lane in range(lanes)
    )
    return f"""  br label %{tag}row
{tag}row:
  %{tag}i = phi i64 [ 0, %{tag}copy ], [ %{tag}inext, %{tag}row ]
  %{tag}o = mul i64 %{tag}i, %ld{tag}
  %{tag}os = add i64 %{tag}o, %at
  %{tag}from = getelementptr double, ptr %{tag}, i64 %{tag}os
  %{tag}ot = mul i64 %{tag}i, {lanes}
  %{tag}to = getelementptr double, ptr {block}, i64 %{tag}ot
{copies}
  %{tag}inext = add i64 %{tag}i, 1
  %{tag}more = icmp slt i64 %{tag}inext, {count}
  br i1 %{tag}more, label %{tag}row, label %{then}"""


def _copy_out(count: int, lanes: int) -> str:
    """The used lanes of a block of results to their rows."""
    if count == 0:
        return "  br label %advance"
    return f"""  br label %yrow
yrow:
  %yj = phi i64 [ 0, %ycopy ], [ %yjnext, %ylane.end ]
  %yfrom = mul i64 %yj, {lanes}
  %yp = mul i64 %yj, %ldy
  %yto = add i64 %yp, %at
  br label %ylane
ylane:
  %yl = phi i64 [ 0, %yrow ], [ %ylnext, %ylane ]
  %ya = add i64 %yfrom, %yl
  %ysp = getelementptr double, ptr %yblock, i64 %ya
  %yv = load double, ptr %ysp, align 8
  %yb = add i64 %yto, %yl
  %ydp = getelementptr double, ptr %y, i64 %yb
  store double %yv, ptr %ydp, align 8
  %ylnext = add i64 %yl, 1
  %ylmore = icmp slt i64 %ylnext, %used
  br i1 %ylmore, label %ylane, label %ylane.end
ylane.end:
  %yjnext = add i64 %yj, 1
  %yjmore = icmp slt i64 %yjnext, {count}
  br i1 %yjmore, label %yrow, label %advance"""
