import CTrace
import CUnwind
import MPaaSCrashReport
import MPaaSSupport

/// Unwinds the stacks of one process that stands still.
struct StackReader {
  let memory: any TargetMemory
  let images: ImageList

  /// Frames of a stack that are kept, counted from the innermost; Apple's reports keep as many.
  static let frameLimit = 512

  /// libunwind is made ready once.
  private static let isReady = mp_unwind_prepare()

  /// A stack, innermost frame first, with the stack pointer of each frame.
  struct Stack {
    var frames: [CrashReport.Frame] = []
    var pointers: [UInt64] = []
    var cut: CrashReport.StackCut?
  }

  func stack(of state: ThreadState, limit: Int = frameLimit, milliseconds: UInt64 = 2000) -> Stack {
    guard Self.isReady, let registers = state.unwindable else {
      return Stack(frames: [CrashReport.Frame(address: state.programCounter, kind: .physical)], cut: .unsupported)
    }
    var reader = memory.reader
    var table = images.table
    var start = registers
    var options = mp_unwind_options(
      max_frames: limit, deadline: SystemClock.monotonicNanoseconds() &+ milliseconds &* 1_000_000,
      async_callers: true)
    var stop = MP_STOP_END
    let found = [mp_frame](unsafeUninitializedCapacity: limit) { target, filled in
      filled = mp_unwind(&reader, &table, &start, &options, target.baseAddress, &stop)
    }
    return Stack(
      frames: found.map(Self.frame), pointers: found.map(\.sp), cut: CrashReport.StackCut(stop: UInt32(stop.rawValue)))
  }

  /// A reader of the stacks of a live process that stands still.
  static func live(_ process: Int32, _ memory: LiveMemory? = nil) -> StackReader {
    let witness = ProcessStatus.witness(of: process)
    let memory = memory ?? LiveMemory(process: witness)
    let images = ImageList.live(process: witness, memory: memory)
    let complete = ExtendedMemory.completing(images, in: memory) { path in
      ProcFile.isRegular(path) ? try? Bytes.mapping(path) : nil
    }
    return StackReader(memory: complete, images: images)
  }

  private static func frame(_ frame: mp_frame) -> CrashReport.Frame {
    let kind: CrashReport.Frame.Kind =
      switch frame.kind {
      case MP_FRAME_INTERRUPTED: .interrupted
      case MP_FRAME_ASYNC: .asynchronous
      default: .physical
      }
    var result = CrashReport.Frame(address: frame.pc, kind: kind)
    result.image = frame.image < 0 ? nil : Int(frame.image)
    return result
  }
}
