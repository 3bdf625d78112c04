package import MPaaSBase

extension CrashReport {
  package struct Thread: Sendable, Equatable {
    /// The kernel's number of the thread.
    package var id: UInt64
    package var name: String?
    /// The dispatch queue that the thread worked for.
    package var queue: String?
    /// Innermost first.
    package var frames: [Frame] = []
    /// The reason for which frames are missing behind the last one; nil where the stack was unwound to its end, or
    /// where the report does not tell.
    package var cut: StackCut?
    package var registers: Registers?
    /// Members of the thread in a foreign .ips file that this model has no place for.
    package var extra: JSONValue.Object = [:]

    package init(id: UInt64) {
      self.id = id
    }
  }

  /// One function activation on a stack.
  package struct Frame: Sendable, Equatable {
    package enum Kind: String, Sendable, Codable {
      /// A return address, or the program counter in frame 0.
      case physical
      /// The frame that a signal interrupted: like frame 0, its address is not a return address.
      case interrupted
      /// A return address in frame 0 too: the stack of an exception object, kept as a thread's.
      case returned
      /// A caller of an async function, read from the chain of async contexts.
      case asynchronous = "async"
    }

    /// As it stands on the stack; never adjusted, see `lookupAddress(ofFrame:inStack:)`.
    package var address: UInt64
    package var kind = Kind.physical
    /// Index into `CrashReport.images`.
    package var image: Int?
    /// Innermost inlined call first, the function itself last; empty before symbolication.
    package var calls: [Call] = []
    /// Members of the frame in a foreign .ips file that this model has no place for.
    package var extra: JSONValue.Object = [:]

    package init(address: UInt64, kind: Kind = .physical) {
      self.address = address
      self.kind = kind
    }
  }

  /// A function that a frame is in, by its names and its place in the source.
  package struct Call: Sendable, Equatable {
    /// Demangled.
    package var function: String
    /// As the linker knows it.
    package var symbol: String?
    /// Bytes from the start of the symbol, where only the symbol table knew it.
    package var offset: UInt64?
    package var file: String?
    package var line: Int?
    package var column: Int?
    package var isInlined = false

    package init(function: String) {
      self.function = function
    }
  }

  /// A thread's registers in the order that the architecture's manuals list them.
  package struct Registers: Sendable, Equatable {
    package struct Register: Sendable, Equatable {
      package var name: String
      package var value: UInt64

      package init(_ name: String, _ value: UInt64) {
        self.name = name
        self.value = value
      }
    }

    /// Apple's word: `x86_THREAD_STATE`, `ARM_THREAD_STATE64`.
    package var flavor: String
    package var values: [Register]

    package init(flavor: String, values: [Register]) {
      self.flavor = flavor
      self.values = values
    }

    package subscript(name: String) -> UInt64? {
      values.first { $0.name == name }?.value
    }
  }

  /// A file mapped into the process: an executable, a library, or the kernel's vDSO.
  package struct Image: Sendable, Equatable {
    /// The lowest mapped address.
    package var base: UInt64
    /// Bytes from `base` to the end of the highest mapped segment.
    package var size: UInt64
    /// Build ID (Linux) or UUID (Apple), lower-case hexadecimal without dashes; empty where there is none.
    package var buildID: String
    package var path: String
    /// `x86_64`, `arm64`, ….
    package var architecture: String
    /// The number to subtract from an address to get the address that the file itself uses: `base` for a PIE, 0 for a
    /// fixed executable.
    package var slide: UInt64
    /// Members of the image in a foreign .ips file that this model has no place for (`CFBundleIdentifier`, …).
    package var extra: JSONValue.Object = [:]

    package init(base: UInt64, size: UInt64, buildID: String, path: String, architecture: String, slide: UInt64) {
      self.base = base
      self.size = size
      self.buildID = buildID
      self.path = path
      self.architecture = architecture
      self.slide = slide
    }

    package var name: String {
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      guard let slash else { return path }
      let name = path[path.utf8.index(after: slash)...]
      return name.isEmpty ? path.split(separator: "/").last.map(String.init) ?? path : String(name)
    }

    package func contains(_ address: UInt64) -> Bool {
      address >= base && address - base < size
    }
  }
}

extension CrashReport.Registers {
  private static let order: [String: Int] = {
    let names =
      ["rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp", "rsp"] + (0...15).map { "r\($0)" }
      + ["ip", "rip", "rflags", "cr2", "eax", "ebx", "ecx", "edx", "edi", "esi", "ebp", "esp", "ss", "eflags", "eip"]
      + ["cs", "ds", "es", "fs", "gs", "err", "trap", "cpu"]
      + (0...30).map { "x\($0)" } + ["fp", "lr", "sp", "pc", "cpsr", "far", "esr"]
    return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }()

  /// The names in the order that the architecture's manuals list them, unknown ones last, by the alphabet.
  package static func sorted(_ names: [String]) -> [String] {
    names.sorted { (order[$0] ?? .max, $0) < (order[$1] ?? .max, $1) }
  }

  /// The number of first values that are `x0`, `x1`, … of ARM in this order.
  package var generalARMRegisters: Int {
    values.enumerated().first { $1.name != "x\($0)" }?.offset ?? values.count
  }
}
