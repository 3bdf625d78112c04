import Foundation
import MPaaSTestSupport
import Testing

#if os(Linux)
  @Suite("A program that looks at itself", .serialized) struct SubjectTests {
    @Test("knows its own callers from those of a library that it is not linked with")
    func caller() throws {
      guard let library = try Attack.library("plain", Attack.plain) else { return print("skipped: there is no cc") }
      let subject = try Subject()
      #expect(subject.ask("caller") == ["own"])
      #expect(subject.ask("caller \(library)") == ["foreign"])
    }

    @Test("says what it does not know of a function, and never takes that for well")
    func unknown() throws {
      let subject = try Subject()
      #expect(subject.ask("function no_such_function") == ["unknown no image exports or imports no_such_function"])
      let answer = subject.ask("function SSL_read libssl.so.3").first
      #expect(answer?.hasPrefix("unknown ") == true)
      for function in ["strlen", "write", "malloc", "clock_gettime", "swift_retain"] {
        #expect(subject.ask("function \(function)") == ["none"], "\(function)")
      }
    }

    @Test("has the same digest of its code in memory and in its file, until a byte of it is changed")
    func text() throws {
      let subject = try Subject()
      let answer = subject.ask("text").first ?? ""
      #expect(answer.hasPrefix("same ") && answer.utf8.count == 69, "\(answer)")
      // A breakpoint is such a byte.
      guard Command.find("gdb") != nil else { return print("skipped: there is no gdb") }
      let words = ["-batch", "-nx", "-ex", "break subject_secret", "-ex", "run", "--args", Subject.path, "text"]
      let outcome = try Command.run("gdb", words)
      #expect(outcome.output.contains("\ndifferent "), "\(outcome.output)")
    }

    @Test("knows a name of its source from one that was made")
    func notification() throws {
      #expect(try Subject().ask("name subject.payment") == ["true false"])
    }

    @Test("lets no debugger attach while its own tracer runs, and does not take that for one")
    func tracer() throws {
      let subject = try Subject()
      guard subject.ask("tracer") == [] else { return print("skipped: the system lets no process trace another") }
      #expect(subject.kinds() == [])
      #expect(subject.ask("debugger") == ["SecuritySubject true"])
      if Command.find("gdb") != nil {
        let outcome = try Command.run("gdb", ["-batch", "-nx", "-p", "\(subject.pid)"])
        #expect((outcome.output + outcome.errors).contains("Operation not permitted"))
      }
      #expect(subject.ask("tracer") == ["the tracer runs already"])
      #expect(subject.ask("untracer") == [])
      #expect(subject.ask("debugger") == ["none"])
      #expect(subject.ask("tracer") == [] && subject.ask("untracer") == [])
    }

    @Test("is refused its own tracer under another one, as mpaas crash run is")
    func traced() throws {
      guard Command.find("strace") != nil else { return print("skipped: there is no strace") }
      let subject = try Subject(under: ["strace", "-o", "/dev/null"])
      let answer = subject.ask("tracer").first ?? ""
      #expect(answer.hasPrefix("process ") && answer.hasSuffix(" (strace) traces this one already"), "\(answer)")
    }

    @Test("notices that its tracer was ended by another")
    func ended() throws {
      let subject = try Subject()
      guard subject.ask("tracer") == [] else { return print("skipped: the system lets no process trace another") }
      let status = try String(contentsOfFile: "/proc/\(subject.pid)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") })
      kill(try #require(line.split(separator: "\t").last.flatMap { Int32($0) }), SIGKILL)
      while subject.ask("debugger") != ["none"] { usleep(1000) }
      #expect(subject.kinds() == ["debugger"])
    }
  }
#endif
