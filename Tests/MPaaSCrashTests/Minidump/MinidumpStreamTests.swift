import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

private func own(_ report: CrashReport) throws -> JSONValue.Object {
  try #require(report.extra["minidump"]?.object)
}

private func read(_ builder: MinidumpBuilder) throws -> CrashReport {
  try builder.file().withUnsafeBytes { bytes in try MinidumpReader.read(bytes) }
}

@Suite("A minidump's streams") struct MinidumpStreamTests {
  /// One thread on a stack of its own, one module, in one of the two byte orders.
  private func builder(
    _ isBigEndian: Bool, processor: UInt16, platform: UInt32 = 0x8201, context: [UInt8]? = nil,
    stack: [UInt8] = [UInt8](repeating: 0, count: 256)
  ) -> MinidumpBuilder {
    var builder = MinidumpBuilder()
    builder.isBigEndian = isBigEndian
    builder.system(processor: processor, platform: platform, pack: "pack")
    let context = context ?? [UInt8](repeating: 0, count: 1232)
    let thread = builder.thread(7, stack: (0x7000, stack), context: context)
    builder.stream(3, builder.words(1) + thread)
    let module = builder.module("/bin/x", base: 0x10_0000, size: 0x1000, codeView: [])
    builder.stream(4, builder.words(1) + module)
    return builder
  }

  @Test("of Windows are read in both byte orders", arguments: [false, true])
  func windows(isBigEndian: Bool) throws {
    var builder = builder(isBigEndian, processor: 9, platform: 2)
    let name = builder.wide("worker ☃"), type = builder.wide("Event"), object = builder.wide("\\\\Base\\\\x")
    builder.stream(24, builder.words(1, 7) + builder.number(UInt64(name)))
    builder.stream(17, builder.words(12, 64, 1) + builder.words(7, 1, 2, 3) + builder.longs(10, 20, 30, 40, 0x99, 0xf))
    let gone = builder.wide("C:\\gone.dll")
    builder.stream(14, builder.words(12, 24, 1) + builder.longs(0x5000) + builder.words(0x100, 1, 2, gone))
    builder.stream(
      12, builder.words(16, 32, 1, 0) + builder.longs(4) + builder.words(type, object, 1, 2, 3, 4))
    builder.stream(
      16,
      builder.words(16, 48) + builder.longs(1) + builder.longs(0x7000, 0x7000) + builder.words(4, 0)
        + builder.longs(0x1000) + builder.words(0x1000, 4, 0x20000, 0))
    let memory = builder.add([1, 2, 3, 4, 5, 6, 7, 8])
    builder.stream(9, builder.longs(1, UInt64(memory)) + builder.longs(0x9000, 8))
    builder.stream(
      15,
      builder.words(0x554, 3, 4711, 900, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xffff_ffc4)
        + builder.units("CET", count: 32) + [UInt8](repeating: 0, count: 16) + builder.words(0)
        + builder.units("CEST", count: 32) + [UInt8](repeating: 0, count: 16) + builder.words(0xffff_ffc4)
        + builder.units("10.0.19041", count: 260) + builder.units("dbg", count: 40)
        + builder.words(528, 1) + builder.longs(3) + [UInt8](repeating: 1, count: 512) + builder.words(0xabcd))
    builder.stream(0x4767_0001, builder.words(3, 99, 7))
    builder.stream(
      0x4767_0002,
      builder.units("x > 0", count: 128) + builder.units("f", count: 128) + builder.units("a.cpp", count: 128)
        + builder.words(12, 1))
    builder.stream(0x1234, [1, 2, 3])
    let report = try read(builder)
    let rest = try own(report)
    #expect(!report.isPartial, "\(report.notes)")
    #expect(report.threads[0].name == "worker ☃")
    #expect(report.threads[0].extra["minidump"]?.object?["info"]?.object?["start_address"] == 0x99)
    #expect(rest["unloaded_modules"]?.array?.first?.object?["module_name"] == "C:\\gone.dll")
    #expect(rest["handles"]?.array?.first?.object?["type_name"] == "Event")
    #expect(rest["memory_info"]?.array?.first?.object?["region_size"] == 0x1000)
    #expect(rest["memory64"]?.object?["ranges"]?.array?.first?.object?["size"] == 8)
    let misc = try #require(rest["misc_info"]?.object)
    #expect(misc["build_string"] == "10.0.19041")
    #expect(misc["process_cookie"] == 0xabcd)
    #expect(misc["time_zone_bias"] == -60)
    #expect(misc["daylight_name"] == "CEST")
    #expect(report.process.pid == 4711)
    #expect(report.process.uptime == 100)
    #expect(report.lastWords["assertion"] == ["Assertion failed: x > 0, f, a.cpp:12"])
    #expect(report.faultingThread == 0)
    #expect(report.kind == .other)
    #expect(rest["streams"]?.array?.first?.object?["type"] == 0x1234)
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
  }

  @Test(
    "of Crashpad name process, modules and their annotations", arguments: [false, true])
  func crashpad(isBigEndian: Bool) throws {
    var builder = builder(isBigEndian, processor: 12, platform: 0x8101)
    let key = builder.narrow("prod"), value = builder.narrow("Orders"), said = builder.narrow("abort() called")
    let simple = builder.location(builder.words(1, key, value))
    let list = builder.location(builder.words(1, said))
    let text = builder.add(builder.words(3) + Array("abc".utf8))
    let objects = builder.location(
      builder.words(1, key) + builder.number(UInt16(1)) + builder.number(UInt16(0)) + builder.words(text))
    let module = builder.location(builder.words(1) + list + simple + objects)
    let modules = builder.location(builder.words(1, 0) + module)
    let id =
      builder.number(UInt32(0x0102_0304)) + builder.number(UInt16(0x0506)) + builder.number(UInt16(0x0708))
      + [9, 10, 11, 12, 13, 14, 15, 16]
    builder.stream(0x4350_0001, builder.words(1) + id + id + simple + modules)
    let report = try read(builder)
    #expect(report.incident == "01020304-0506-0708-090A-0B0C0D0E0F10")
    #expect(report.application.name == "Orders")
    #expect(report.lastWords["x"] == ["abort() called"])
    let found = try own(report)["crashpad"]?.object?["module_list"]?.array?.first?.object
    #expect(found?["annotation_objects"]?.array?.first?.object?["value"] == "abc")
    #expect(found?["simple_annotations"]?.object?["prod"] == "Orders")
  }

  /// A context with the program counter, the stack pointer and one more register at given places.
  private func context(
    _ builder: MinidumpBuilder, size: Int, word: Int, _ places: [(Int, UInt64)]
  ) -> [UInt8] {
    var context = [UInt8](repeating: 0, count: size)
    for (place, value) in places {
      let bytes = word == 4 ? builder.number(UInt32(value)) : builder.number(value)
      context.replaceSubrange(place..<place + word, with: bytes)
    }
    return context
  }

  static let processors: [(UInt16, Int, Int, [(Int, String)])] = [
    (0, 716, 4, [(184, "eip"), (196, "esp"), (180, "ebp")]),
    (9, 1232, 8, [(248, "rip"), (152, "rsp"), (160, "rbp")]),
    (5, 368, 4, [(64, "pc"), (56, "sp"), (48, "r11")]),
    (12, 912, 8, [(264, "pc"), (256, "sp"), (240, "fp")]),
    (0x8003, 796, 8, [(264, "pc"), (256, "sp"), (240, "fp")]),
    (1, 584, 8, [(312, "pc"), (240, "sp"), (248, "fp")]),
    (3, 1000, 4, [(4, "srr0"), (16, "r1"), (136, "r31")]),
    (0x8002, 1300, 8, [(8, "srr0"), (32, "r1"), (272, "r31")]),
  ]

  @Test("have the registers of every processor, and a frame at the program counter", arguments: 0..<8, [false, true])
  func contexts(index: Int, isBigEndian: Bool) throws {
    let (processor, size, word, names) = Self.processors[index]
    var shape = MinidumpBuilder()
    shape.isBigEndian = isBigEndian
    let values: [UInt64] = [0x10_0010, 0x7010, 0x7020]
    let context = context(shape, size: size, word: word, zip(names.map(\.0), values).map { ($0, $1) })
    let report = try read(builder(isBigEndian, processor: processor, context: context))
    let registers = try #require(report.threads[0].registers)
    for (name, value) in zip(names.map(\.1), values) { #expect(registers[name] == value, "\(processor) \(name)") }
    #expect(report.threads[0].frames.first?.address == 0x10_0010)
    #expect(report.threads[0].frames.first?.image == 0)
  }

  @Test("give frames by the frame pointer on ARM64, without the signatures of return addresses")
  func armFrames() throws {
    let shape = MinidumpBuilder()
    var stack = [UInt8](repeating: 0, count: 256)
    func put(_ place: Int, _ value: UInt64) { stack.replaceSubrange(place..<place + 8, with: shape.number(value)) }
    put(0x20, 0x7040)
    put(0x28, 0x8123_0000_0010_0104)
    put(0x48, 0x10_0204)
    let context = context(shape, size: 912, word: 8, [(264, 0x10_0010), (256, 0x7010), (240, 0x7020)])
    let report = try read(builder(false, processor: 12, platform: 0x8101, context: context, stack: stack))
    #expect(report.threads[0].frames.map(\.address) == [0x10_0010, 0x10_0104, 0x10_0204])
    #expect(report.threads[0].frames[1].extra["minidump"] == ["trust": "frame_pointer"])
  }

  @Test("that make a stack go in circles end the walk")
  func loop() throws {
    let shape = MinidumpBuilder()
    var stack = [UInt8](repeating: 0, count: 4096)
    for place in stride(from: 0, to: stack.count, by: 8) {
      stack.replaceSubrange(place..<place + 8, with: shape.number(UInt64(place % 16 == 0 ? 0x7010 : 0x10_0100)))
    }
    let context = context(shape, size: 1232, word: 8, [(248, 0x10_0010), (152, 0x7000), (160, 0x7010)])
    let report = try read(builder(false, processor: 9, context: context, stack: stack))
    #expect((2...StackWalk.mostFrames).contains(report.threads[0].frames.count))
  }

  @Test(
    "tell why: in the words of each system",
    arguments: [
      (0x8201 as UInt32, 11 as UInt32, 1 as UInt32, [0] as [UInt64], "SIGSEGV / SEGV_MAPERR", "EXC_BAD_ACCESS"),
      (0x8201, 6, 0xffff_fffa, [], "SIGABRT / SI_TKILL", "EXC_CRASH"),
      (0x8101, 1, 1, [1, 0x10], "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS", "EXC_BAD_ACCESS"),
      (0x8101, 6, 2, [], "EXC_BREAKPOINT / EXC_I386_BPT", "EXC_BREAKPOINT"),
      (2, 0xc000_0005, 0, [0, 0x10], "EXCEPTION_ACCESS_VIOLATION_READ", "EXCEPTION_ACCESS_VIOLATION"),
      (2, 0xc000_00fd, 0, [], "EXCEPTION_STACK_OVERFLOW", "EXCEPTION_STACK_OVERFLOW"),
      (2, 0xe06d_7363, 0, [], "Unhandled C++ Exception", "Unhandled C++ Exception"),
    ])
  func reasons(
    _ platform: UInt32, _ code: UInt32, _ flags: UInt32, _ parameters: [UInt64], _ text: String, _ type: String
  ) throws {
    var builder = builder(false, processor: 9, platform: platform)
    let filled = parameters + [UInt64](repeating: 0, count: 15 - parameters.count)
    builder.stream(
      6,
      builder.words(7, 0, code, flags) + builder.longs(0, 0x10) + builder.words(UInt32(parameters.count), 0)
        + filled.flatMap { builder.number($0) } + builder.words(0, 0))
    let report = try read(builder)
    #expect(try own(report)["crash_reason"] == .string(text))
    #expect(report.exception?.type == type)
    #expect(report.faultingThread == 0)
    if code != 6 { #expect(report.exception?.address == (type == "EXC_BREAKPOINT" ? nil : 0x10)) }
  }

  @Test("name modules by build ID, UUID and PDB as symbol stores do")
  func identities() {
    let guid: [UInt8] = [4, 3, 2, 1, 6, 5, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16]
    func identity(_ bytes: [UInt8], isELF: Bool) -> MinidumpIdentity {
      bytes.withUnsafeBytes { MinidumpIdentity(codeView: $0, isELF: isELF, isBigEndian: false) }
    }
    let pdb = identity(Array("RSDS".utf8) + guid + [2, 0, 0, 0] + Array("a.pdb".utf8) + [0], isELF: false)
    #expect(pdb.debugID == "0102030405060708090A0B0C0D0E0F102")
    #expect(pdb.debugFile == "a.pdb")
    #expect(pdb.buildID == "0102030405060708090a0b0c0d0e0f10")
    let elf = identity([0x4c, 0x45, 0x70, 0x42] + guid + [17, 18, 19, 20], isELF: true)
    #expect(elf.buildID == "0403020106050807090a0b0c0d0e0f1011121314")
    #expect(elf.debugID == "0102030405060708090A0B0C0D0E0F100")
    #expect(identity([1, 2], isELF: true).buildID.isEmpty)
  }
}
