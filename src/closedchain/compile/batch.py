"""LLVM IR of the loop that runs a lane kernel over many samples."""


def batch_ir(kernel: str, name: str, lanes: int, per_lane: bool, n_x: int, n_c: int, n_y: int) -> str:
    """The text of `void name(x, c, y, n, ldx, ldc, ldy, scratch)`, which calls a lane kernel of the same module.

    Entry i of sample s lies at i*ld + s. Blocks of samples are copied to scratch (lanes * (n_x + n_c + n_y) doubles,
    n_c counted when per_lane), run there and copied back, so that the last block needs neither samples nor room
    beyond n; its spare lanes repeat the last sample.
    """
    xs, cs = n_x * lanes, n_c * lanes if per_lane else 0
    gather_c = _copy_in("c", "%c", "%cblock", "%ldc", n_c, lanes) if per_lane else "  br label %run"
    constants = "%cblock" if per_lane else "%c"
    return f"""
define void @{name}(ptr noalias %x, ptr noalias %c, ptr noalias %y, i64 %n, i64 %ldx, i64 %ldc, i64 %ldy,
    ptr noalias %scratch) nounwind {{
entry:
  %cblock = getelementptr double, ptr %scratch, i64 {xs}
  %yblock = getelementptr double, ptr %scratch, i64 {xs + cs}
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %block, label %done
block:
  %at = phi i64 [ 0, %entry ], [ %next, %advance ]
  %left = sub i64 %n, %at
  %whole = icmp sge i64 %left, {lanes}
  %used = select i1 %whole, i64 {lanes}, i64 %left
  %last = sub i64 %used, 1
  br label %xcopy
xcopy:
{_copy_in("x", "%x", "%scratch", "%ldx", n_x, lanes, "%ccopy")}
ccopy:
{gather_c}
run:
  call void @{kernel}(ptr %scratch, ptr {constants}, ptr %yblock)
  br label %ycopy
ycopy:
{_copy_out("%y", "%yblock", "%ldy", n_y, lanes)}
advance:
  %next = add i64 %at, {lanes}
  %again = icmp slt i64 %next, %n
  br i1 %again, label %block, label %done
done:
  ret void
}}
"""


def _copy_in(tag: str, source: str, block: str, stride: str, count: int, lanes: int, then: str = "%run") -> str:
    """Rows of a block to scratch: whole vectors, or lane by lane with the last sample repeated."""
    if count == 0:
        return f"  br label {then}"
    wide = f"<{lanes} x double>"
    loads = "\n".join(
        f"""  %{tag}k{lane} = call i64 @llvm.smin.i64(i64 {lane}, i64 %last)
  %{tag}s{lane} = getelementptr double, ptr %{tag}slow, i64 %{tag}k{lane}
  %{tag}v{lane} = load double, ptr %{tag}s{lane}, align 8
  %{tag}d{lane} = getelementptr double, ptr %{tag}slowto, i64 {lane}
  store double %{tag}v{lane}, ptr %{tag}d{lane}, align 8"""
        for lane in range(lanes)
    )
    return f"""  br i1 %whole, label %{tag}fast.loop, label %{tag}slow.loop
{tag}fast.loop:
  %{tag}i = phi i64 [ 0, %{tag}copy ], [ %{tag}inext, %{tag}fast.loop ]
  %{tag}o = mul i64 %{tag}i, {stride}
  %{tag}os = add i64 %{tag}o, %at
  %{tag}from = getelementptr double, ptr {source}, i64 %{tag}os
  %{tag}row = load {wide}, ptr %{tag}from, align 8
  %{tag}ot = mul i64 %{tag}i, {lanes}
  %{tag}to = getelementptr double, ptr {block}, i64 %{tag}ot
  store {wide} %{tag}row, ptr %{tag}to, align 8
  %{tag}inext = add i64 %{tag}i, 1
  %{tag}more = icmp slt i64 %{tag}inext, {count}
  br i1 %{tag}more, label %{tag}fast.loop, label {then}
{tag}slow.loop:
  %{tag}j = phi i64 [ 0, %{tag}copy ], [ %{tag}jnext, %{tag}slow.loop ]
  %{tag}p = mul i64 %{tag}j, {stride}
  %{tag}ps = add i64 %{tag}p, %at
  %{tag}slow = getelementptr double, ptr {source}, i64 %{tag}ps
  %{tag}pt = mul i64 %{tag}j, {lanes}
  %{tag}slowto = getelementptr double, ptr {block}, i64 %{tag}pt
{loads}
  %{tag}jnext = add i64 %{tag}j, 1
  %{tag}jmore = icmp slt i64 %{tag}jnext, {count}
  br i1 %{tag}jmore, label %{tag}slow.loop, label {then}"""


def _copy_out(target: str, block: str, stride: str, count: int, lanes: int) -> str:
    if count == 0:
        return "  br label %advance"
    wide = f"<{lanes} x double>"
    return f"""  br i1 %whole, label %yfast.loop, label %yslow.loop
yfast.loop:
  %yi = phi i64 [ 0, %ycopy ], [ %yinext, %yfast.loop ]
  %yot = mul i64 %yi, {lanes}
  %yfrom = getelementptr double, ptr {block}, i64 %yot
  %yrow = load {wide}, ptr %yfrom, align 8
  %yo = mul i64 %yi, {stride}
  %yos = add i64 %yo, %at
  %yto = getelementptr double, ptr {target}, i64 %yos
  store {wide} %yrow, ptr %yto, align 8
  %yinext = add i64 %yi, 1
  %ymore = icmp slt i64 %yinext, {count}
  br i1 %ymore, label %yfast.loop, label %advance
yslow.loop:
  %yj = phi i64 [ 0, %ycopy ], [ %yjnext, %ylane.end ]
  %ypt = mul i64 %yj, {lanes}
  %yp = mul i64 %yj, {stride}
  %yps = add i64 %yp, %at
  br label %ylane
ylane:
  %yl = phi i64 [ 0, %yslow.loop ], [ %ylnext, %ylane ]
  %ya = add i64 %ypt, %yl
  %ysp = getelementptr double, ptr {block}, i64 %ya
  %yv = load double, ptr %ysp, align 8
  %yb = add i64 %yps, %yl
  %ydp = getelementptr double, ptr {target}, i64 %yb
  store double %yv, ptr %ydp, align 8
  %ylnext = add i64 %yl, 1
  %ylmore = icmp slt i64 %ylnext, %used
  br i1 %ylmore, label %ylane, label %ylane.end
ylane.end:
  %yjnext = add i64 %yj, 1
  %yjmore = icmp slt i64 %yjnext, {count}
  br i1 %yjmore, label %yslow.loop, label %advance"""
