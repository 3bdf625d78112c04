import CTrace
package import CUnwind
package import MPaaSCrashReport
import MPaaSSupport

/// Unwinds the stacks of one process that stands still.
package struct StackReader {
  let memory: any TargetMemory
  let images: ImageList

  package init(memory: any TargetMemory, images: ImageList) {
    self.memory = memory
    self.images = images
  }

  /// Frames of a stack that are kept, counted from the innermost; Apple's reports keep as many.
  static let frameLimit = 512

  /// libunwind is made ready once; false where it is not installed.
  package static let isReady = mp_unwind_prepare()

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

  /// Unwinds a stack of which the memory is a copy; async callers, whose memory is elsewhere, are left out.
  ///
  /// - Parameters:
  ///   - registers: Those of the moment of the copy.
  ///   - frames: Where the frames go, innermost first.
  /// - Returns: How many were found, whether the stack goes on, and whether it does so in memory that is not there.
  package func unwind(
    _ registers: inout mp_registers, into frames: UnsafeMutableBufferPointer<mp_frame>
  ) -> (count: Int, isCut: Bool, isUnreadable: Bool) {
    var reader = memory.reader
    var table = images.table
    var options = mp_unwind_options(max_frames: frames.count, deadline: 0, async_callers: false)
    var stop = MP_STOP_END
    let count = mp_unwind(&reader, &table, &registers, &options, frames.baseAddress, &stop)
    return (count, stop == MP_STOP_UNREADABLE || stop == MP_STOP_FULL, stop == MP_STOP_UNREADABLE)
  }

  /// A report's frame of an unwound one.
  package static func reportFrame(_ frame: mp_frame) -> CrashReport.Frame { Self.frame(frame) }

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
