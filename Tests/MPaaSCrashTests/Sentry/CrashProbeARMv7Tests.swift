import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("CrashProbe's armv7 reports") struct CrashProbeARMv7Tests {
  /// Sentry's event with one image and a stack, which stands outermost first.
  private func report(base: UInt64, size: UInt64, stack: [UInt64]) throws -> CrashReport {
    let frames = stack.reversed().map { "{\"instruction_addr\":\"0x\(String($0, radix: 16))\"}" }
    let text = """
      {"event_id":"a","platform":"cocoa","debug_meta":{"images":[{"image_addr":"0x\(String(base, radix: 16))",
      "image_size":\(size),"name":"/app","uuid":"A0B0C0D0-0000-0000-0000-000000000000","cpu_type":12,"cpu_subtype":9}]},
      "threads":{"values":[{"id":0,"crashed":true,"stacktrace":{"frames":[\(frames.joined(separator: ","))]}}]}}
      """
    return try ReportFile.read(Bytes(Array(text.utf8)))
  }

  @Test("are looked up in the line that each frame of their own code is at, 155 of 155")
  func ownFrames() throws {
    var right = 0
    #expect(CrashProbeARMv7.ownFrames.count == 25)
    for frame in CrashProbeARMv7.ownFrames {
      let base: UInt64 = 0xa_0000
      let own = base + frame.address
      let report = try report(base: base, size: 0x4_0000, stack: frame.isInnermost ? [own] : [base + 0x101, own])
      #expect(report.images.first?.architecture == "armv7")
      let address = report.lookupAddress(ofFrame: frame.isInnermost ? 0 : 1, inStack: 0) - base
      #expect(frame.code.contains(address), "\(frame.file):\(frame.line)")
      if frame.code.contains(address) { right += frame.count }
    }
    #expect(right == 155)
  }

  @Test("have return addresses of which 467 of 468 carry Thumb's mark, and all are looked up at the call before them")
  func returnAddresses() throws {
    var marked = 0, all = 0
    for stack in CrashProbeARMv7.returnAddresses {
      let report = try report(base: 0x1000, size: 0xffff_0000, stack: [0x2000] + stack)
      #expect(report.threads[0].frames.count == stack.count + 1)
      for (index, address) in stack.enumerated() {
        all += 1
        let found = report.lookupAddress(ofFrame: index + 1, inStack: 0)
        if address & 1 == 1 { marked += 1 }
        #expect(found == (address & 1 == 1 ? address - 3 : address - 4))
      }
    }
    #expect(marked == 467)
    #expect(all == 468)
  }
}
