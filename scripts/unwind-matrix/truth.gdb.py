# Prints the frames of the crashed thread as gdb sees them, innermost first: pc, function, inlined or not.
import gdb, json

frame, frames = gdb.newest_frame(), []
while frame is not None and len(frames) < 400:
    try:
        frames.append({"pc": frame.pc(), "name": frame.name() or "", "inlined": frame.type() == gdb.INLINE_FRAME})
        frame = frame.older()
    except gdb.error as error:
        print("TRUTH-CUT " + str(error))
        break
print("TRUTH " + json.dumps(frames))
