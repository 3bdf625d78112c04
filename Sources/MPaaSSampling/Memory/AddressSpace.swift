import CUnwind
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport

/// The code that is mapped into a process, from its start or its last exec on, and the stacks found in it.
final class AddressSpace {
  let index: Int
  private(set) var report: CrashReport
  private let files: CodeFiles
  private let images = ImageList(capacity: 1024, pathCapacity: 1 << 17)
  private let memory = CopiedMemory()
  /// The images as their memory describes them, without tables that only files have.
  private var plain: [mp_image] = []
  private var lacksTables = false
  private var reader: StackReader?
  /// The calls for unknown code that are passed over yet, and those that were after the last reading.
  private var pause = 0
  private var lastPause = 0

  init(index: Int, process: Int32, files: CodeFiles) {
    self.index = index
    self.files = files
    report = CrashReport()
    report.process.pid = process
    report.origin = .attached
  }

  /// Fills in what is mapped now into a process that runs.
  func readMaps(of process: Int32) {
    ProcessMaps.each(of: process) { map in
      guard map.isExecutable else { return }
      self.map(map.path, at: map.start, length: map.end - map.start, offset: map.offset)
    }
  }

  /// Fills in what was mapped since into a process whose stack leads to unknown code.
  ///
  /// After a call that found nothing new, the next ones do nothing, for longer and longer.
  ///
  /// - Returns: Whether there is new code.
  func readMapsAgain(of process: Int32) -> Bool {
    guard pause == 0 else {
      pause -= 1
      return false
    }
    let known = plain.count
    readMaps(of: process)
    lastPause = plain.count > known ? 0 : min(2 * lastPause + 1, 127)
    pause = lastPause
    return plain.count > known
  }

  /// Takes in code that was mapped.
  func map(_ path: String, at address: UInt64, length: UInt64, offset: UInt64) {
    // The upper half of the addresses is the kernel's: its vsyscall page.
    guard address < 1 << 63, length > 0, length < 1 << 47 else { return }
    var image = mp_image()
    var shown = path
    if path.isEmpty || path == "//anon" {
      image.is_anonymous = true
      shown = ""
    } else if let file = files.file(path), let bias = file.bias(mappedAt: address, offset: offset) {
      memory.add(file, bias: bias)
      image.base = bias &+ file.loadAddress
      var reader = memory.reader
      if mp_image_read_header(&image, &reader) {
        image.is_vdso = path == CodeFiles.kernelCode
        image.text_start = file.code.lowerBound &+ bias
        image.text_end = file.code.upperBound &+ bias
        lacksTables = lacksTables || (file.lacksFrameTable && !image.is_vdso)
        return append(image, path)
      }
    }
    image.base = address
    image.end = address &+ length
    image.text_start = address
    image.text_end = image.end
    append(image, shown)
  }

  private func append(_ image: mp_image, _ path: String) {
    for index in plain.indices where plain[index].base < image.end && image.base < plain[index].end {
      // The same code again, or other code in its place.
      if plain[index].base == image.base, plain[index].end == image.end, images.path(index) == path { return }
      // It keeps its place in the list, as stacks refer to it.
      plain[index].end = plain[index].base
    }
    guard images.append(image, path: path) else { return }
    plain.append(images[plain.count])
    report.images.append(images.reportImages[plain.count - 1])
    reader = nil
  }

  private func currentReader() -> StackReader {
    if let reader { return reader }
    for (index, image) in plain.enumerated() { images[index] = image }
    let complete: any TargetMemory =
      lacksTables ? ExtendedMemory.completing(images, in: memory) { [files] in files.file($0)?.bytes } : memory
    let made = StackReader(memory: complete, images: images)
    reader = made
    return made
  }

  /// Unwinds the copy of a stack.
  func unwind(
    _ registers: inout mp_registers, stack: CopiedStack,
    into frames: UnsafeMutableBufferPointer<mp_frame>
  ) -> (count: Int, isCut: Bool, isUnreadable: Bool) {
    let reader = currentReader()
    return memory.withStack(stack) { reader.unwind(&registers, into: frames) }
  }

  /// Keeps a new stack; its place among the report's threads.
  func keep(_ frames: [CrashReport.Frame]) -> Int {
    var thread = CrashReport.Thread(id: UInt64(report.threads.count))
    thread.frames = frames
    report.threads.append(thread)
    return report.threads.count - 1
  }
}

extension mp_registers {
  var stackPointer: UInt64 {
    withUnsafeBytes(of: values) { $0.load(fromByteOffset: Int(MP_REGISTER_SP) * 8, as: UInt64.self) }
  }
}
