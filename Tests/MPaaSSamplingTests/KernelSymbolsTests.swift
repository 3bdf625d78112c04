import MPaaSTestSupport
import Testing

@testable import MPaaSSampling

@Suite("The kernel's functions") struct KernelSymbolsTests {
  private static let text = Array(
    """
    ffffffff81000000 T _stext
    ffffffff81000100 t do_nanosleep
    ffffffff81000180 D not_code
    ffffffff81000200 T __x64_sys_clock_nanosleep
    ffffffffc0000000 t helper\t[module]

    """.utf8)

  @Test("are found by an address in them, and those behind the last are not")
  func names() {
    let wanted: [UInt64] = [0xffff_ffff_8100_0190, 0xffff_ffff_8100_0100, 0xffff_ffff_8100_0210, 0xffff_ffff_c000_0010]
    let symbols = KernelSymbols(Self.text, wanted: wanted)
    #expect(
      wanted.map(symbols.name) == ["do_nanosleep", "do_nanosleep", "__x64_sys_clock_nanosleep", "helper"])
    #expect(symbols.name(of: 0xffff_ffff_8100_0000 - 1) == nil)
    #expect(KernelSymbols(Self.text, wanted: [0xffff_ffff_9000_0000]).name(of: 0xffff_ffff_9000_0000) == nil)
  }

  @Test("are none where the kernel hides its addresses")
  func hidden() {
    let text = Array("0000000000000000 T _stext\n0000000000000000 t do_nanosleep\n".utf8)
    #expect(KernelSymbols(text, wanted: [0xffff_ffff_8100_0190]).name(of: 0xffff_ffff_8100_0190) == nil)
  }

  @Test("of a damaged list name nothing by accident, and end")
  func malformed() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var damaged = Self.text
      for _ in 0..<6 { damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random) }
      let symbols = KernelSymbols(damaged, wanted: [0xffff_ffff_8100_0190, 1, .max])
      #expect(symbols.name(of: 0) == nil)
    }
  }

  @Test("tell a wait by its system call and the function that waits, without the scheduler")
  func reason() {
    let reason = WaitReason([
      "__schedule", "schedule", "do_nanosleep", "hrtimer_nanosleep", "__x64_sys_clock_nanosleep", "do_syscall_64",
    ])
    #expect(reason.call == "clock_nanosleep" && reason.function == "do_nanosleep")
    // The call's own function ended with a jump.
    let child = WaitReason(["schedule", "do_wait", "kernel_wait4", "do_syscall_64"])
    #expect(child.call == "wait4")
    #expect(child.function == "do_wait")
    let fault = WaitReason(["io_schedule", "folio_wait_bit_common", "handle_mm_fault", "exc_page_fault"])
    #expect(fault.call == "page fault" && fault.function == "folio_wait_bit_common")
    #expect(WaitReason([]).call == nil && WaitReason([]).function == nil)
  }
}
