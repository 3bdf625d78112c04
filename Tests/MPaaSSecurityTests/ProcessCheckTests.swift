import Foundation
import MPaaSSecurity
import MPaaSSecurityTools
import MPaaSTestSupport
import Testing

#if os(Linux)
  enum ProcessFindings {
    static func kinds(of process: Int32) throws -> Set<String> {
      Set(try ProcessCheck(process: process).findings().findings.map(\.kind.rawValue))
    }
  }

  @Suite("A process that is looked at from outside", .serialized) struct ProcessCheckTests {
    @Test("has no finding where no one attacks, and all of its code was compared")
    func clean() throws {
      let subject = try Subject()
      let checked = try ProcessCheck(process: subject.pid).findings()
      #expect(checked.findings == [] && checked.unread == [])
      #expect(checked.name == "SecuritySubject" && checked.comparedBytes > 1_000_000)
    }

    @Test("shows slots, jumps, foreign libraries and memory, each with its place")
    func attacks() throws {
      let subject = try Subject()
      var expected: Set<String> = []
      let attacks = [
        ("slot", Attack.slot, "replaced-slot"), ("jump", Attack.jump, "patched-code"),
        ("memory", Attack.memory, "anonymous-code"),
      ]
      for (name, source, kind) in attacks {
        guard let library = try Attack.library(name, source) else { return print("skipped: there is no cc") }
        #expect(subject.ask("load \(library)") == ["loaded"])
        expected.formUnion([kind, "foreign-image"])
        #expect(try ProcessFindings.kinds(of: subject.pid).isSuperset(of: expected))
      }
      let findings = try ProcessCheck(process: subject.pid).findings().findings
      #expect(findings.contains { $0.kind == .patchedCode && $0.name == "getppid" })
      #expect(findings.contains { $0.kind == .replacedSlot && $0.name == "clock_gettime" })
      let folder = try Attack.folder.get().path + "/"
      let allowed = try ProcessCheck(process: subject.pid, allowed: [folder]).findings().findings
      #expect(!allowed.contains { $0.kind == .foreignImage || $0.kind == .replacedSlot })
    }

    @Test("shows who traces it, and the variable that loads a library")
    func traced() throws {
      guard Command.find("strace") != nil, let library = try Attack.library("plain", Attack.plain) else {
        return print("skipped: there is no strace, or no cc")
      }
      let tracer = try Subject(environment: ["LD_PRELOAD": library], under: ["strace", "-o", "/dev/null"])
      let children = try String(contentsOfFile: "/proc/\(tracer.pid)/task/\(tracer.pid)/children", encoding: .utf8)
      let child = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
      let findings = try ProcessCheck(process: child).findings().findings
      #expect(findings.contains { $0.kind == .debugger && $0.subject == "strace" })
      #expect(findings.contains { $0.kind == .preloadVariable && $0.subject == library })
      #expect(findings.contains { $0.kind == .foreignImage && $0.subject == library })
    }

    @Test("is refused where it is not there, or is no process")
    func missing() {
      for number in [Int32.max, 0, -1] {
        #expect(throws: SecurityError(.processMissing, ["pid": "\(number)"])) {
          try ProcessCheck(process: number).findings()
        }
      }
    }
  }
#endif
