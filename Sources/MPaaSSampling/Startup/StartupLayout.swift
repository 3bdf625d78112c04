import CTrace
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols

/// The places in a program's memory that its start passes.
struct StartupLayout {
  /// The function that the loader calls when it begins to map libraries, and when they are ready; nil of a program that
  /// needs no loader.
  let loaderCall: UInt64?
  /// The program's first instruction.
  let entry: UInt64?
  /// Its `main`, where its file has symbols.
  let main: UInt64?

  /// Reads the auxiliary vector of a process (`getauxval(3)`) and the files that it names; nil where it cannot be read.
  init?(_ process: Int32) {
    guard let bytes = ProcFile.bytes("/proc/\(process)/auxv") else { return nil }
    var values: [UInt64: UInt64] = [:]
    bytes.withUnsafeBytes { raw in
      for place in stride(from: 0, to: raw.count - 15, by: 16) {
        values[raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)] =
          raw.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
      }
    }
    entry = values[9]
    let program = Self.image("/proc/\(process)/exe")
    if let entry, let program {
      // What was added to the addresses of the file.
      let bias = entry &- program.header.entry
      main = Self.address(of: "main", in: program).map { $0 &+ bias }
    } else {
      main = nil
    }
    loaderCall = values[7].flatMap { $0 == 0 ? nil : Self.loaderCall(process, base: $0) }
  }

  private static func image(_ path: String) -> ELFImage? { (try? Bytes.mapping(path)).flatMap { try? ELFImage($0) } }

  private static func loaderCall(_ process: Int32, base: UInt64) -> UInt64? {
    var path: String?
    ProcessMaps.each(of: process) { map in
      if map.start == base { path = map.path }
    }
    guard let loader = path.flatMap(image), let address = address(of: "_dl_debug_state", in: loader) else { return nil }
    return address &+ base &- loader.loadAddress
  }

  private static func address(of name: String, in image: ELFImage) -> UInt64? {
    let symbols = image.symbols
    for index in 0..<symbols.count where symbols.nameBytes(index).elementsEqual(name.utf8) {
      return symbols.address(index)
    }
    return nil
  }
}

extension ThreadState {
  /// Gives a thread that stands still these registers.
  func write(to thread: Int32) {
    var registers = mt_registers()
    registers.count = Int32(values.count)
    withUnsafeMutableBytes(of: &registers.values) { target in
      values.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(target.count))) }
    }
    mt_set_registers(thread, &registers)
  }

  /// The address that a function returns to, at its first instruction.
  func returnAddress(in process: Int32) -> UInt64? {
    #if arch(arm64)
      values.count > 30 ? values[30] : nil
    #else
      LiveMemory(process: process).number(at: stackPointer)
    #endif
  }
}
