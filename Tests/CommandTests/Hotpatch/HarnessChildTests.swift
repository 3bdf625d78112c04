import Foundation
import MPaaSTestSupport
import Testing

#if os(Linux)
  /// Tells whether gdb is there and can make calls: older ones cannot write what newer processors have (AMX).
  private func gdbWritesRegisters() -> Bool {
    guard Command.find("gdb") != nil else { return false }
    #if arch(x86_64)
      let script = ["set debuginfod enabled off", "starti", "set var $xmm0.uint128 = 1", "print $xmm0.uint128"]
      let outcome = try? Command.run(
        "timeout", ["20", "gdb", "-nx", "-batch"] + script.flatMap { ["-ex", $0] } + ["--args", "/bin/true"])
      return outcome?.output.hasSuffix("$1 = 1\n") ?? false
    #else
      return true
    #endif
  }

  /// Native code, called by gdb in the process that runs a patch: what a patch that broke out of Lua would find.
  @Suite(
    "The process that runs a patch",
    .enabled(
      "needs root, since the process cannot be traced by others, and a gdb that knows the registers of this processor",
      { geteuid() == 0 && gdbWritesRegisters() }))
  struct HarnessChildTests {
    @Test("native code in it reaches no file, network, process or new code, and sees no environment")
    func nativeCode() throws {
      let folder = try TemporaryFolder()
      let patch = folder.url.appending(path: "main.lua"), victim = folder.url.appending(path: "kept.txt")
      try Data("while true do end".utf8).write(to: patch)
      try Data("kept".utf8).write(to: victim)
      let run = Process()
      run.executableURL = Command.mpaas
      run.arguments = ["hotpatch", "run", patch.path, "--time", "60000", "--instructions", "100000000000"]
      run.environment = ProcessInfo.processInfo.environment.merging(["MPAAS_SECRET": "in the environment"]) { $1 }
      (run.standardOutput, run.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      try withNoSignalsBlocked { try run.run() }
      defer {
        run.terminate()
        run.waitUntilExit()
      }
      let child = try #require(try confinedChild(of: run.processIdentifier))
      #expect(try Data(contentsOf: URL(filePath: "/proc/\(child)/environ")).isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/fd").sorted() == ["0", "1", "2"])
      #expect(try status(child, "NoNewPrivs") == "1")
      // Threads of a runtime would end the process with the first call that is refused to them.
      #expect(try status(child, "Threads") == "1")

      let results = try answers(in: child, calls(victim: victim.path, parent: run.processIdentifier))
      #expect(results["getpid"] == Int(child))
      #expect(results["mmap of data"].map { $0 > 0 } == true)
      for (name, result) in results where name != "getpid" && name != "mmap of data" {
        #expect(result == -1, "\(name) answered \(result)")
      }
      #expect(results.count == calls(victim: "", parent: 0).count)
      #expect(try String(contentsOf: victim, encoding: .utf8) == "kept")
      #expect(run.isRunning)
    }

    /// Calls by their names, as gdb is to make them: raw calls to the system, which no library can refuse.
    private func calls(victim: String, parent: Int32) -> [String: String] {
      [
        "getpid": call(39, 172, []),
        "mmap of data": call(9, 222, ["0", "4096", "3", "0x22", "-1", "0"]),
        "mmap of code": call(9, 222, ["0", "4096", "7", "0x22", "-1", "0"]),
        "mprotect to code": call(10, 226, ["(long)$sp & ~0xfffL", "4096", "7"]),
        "openat": call(257, 56, ["-100", "\"/etc/passwd\"", "0", "0"]),
        "unlinkat": call(263, 35, ["-100", "\"\(victim)\"", "0"]),
        "truncate": call(76, 45, ["\"\(victim)\"", "0"]),
        "chdir": call(80, 49, ["\"/\""]),
        "socket": call(41, 198, ["2", "1", "0"]),
        "socketpair": call(53, 199, ["1", "1", "0", "$sp - 256"]),
        "connect": call(42, 203, ["0", "$sp", "16"]),
        "sendto": call(44, 206, ["0", "\"x\"", "1", "0", "0", "0"]),
        "clone": call(56, 220, ["17", "0", "0", "0", "0"]),
        "execve": call(59, 221, ["\"/bin/true\"", "0", "0"]),
        "kill": call(62, 129, ["\(parent)", "9"]),
        "tgkill": call(234, 131, ["\(parent)", "\(parent)", "9"]),
        "ptrace": call(101, 117, ["16", "\(parent)", "0", "0"]),
        "process_vm_readv": call(310, 270, ["\(parent)", "0", "0", "0", "0", "0"]),
        "prctl": call(157, 167, ["4", "1", "0", "0", "0"]),
        "setrlimit": call(302, 261, ["0", "0", "0", "0"]),
        "sigaction": call(13, 134, ["14", "0", "0", "8"]),
        "write elsewhere": call(1, 64, ["0", "\"x\"", "1"]),
        "setuid": call(105, 146, ["0"]),
        "mount": call(165, 40, ["0", "\"/mnt\"", "0", "0", "0"]),
        "bpf": call(321, 280, ["0", "0", "0"]),
        "io_uring_setup": call(425, 425, ["8", "0"]),
        "memfd_create": call(319, 279, ["\"x\"", "0"]),
        "dup": call(32, 23, ["1"]),
      ]
    }

    /// - Parameters:
    ///   - x86: The number of the call on x86_64.
    ///   - arm: Its number on aarch64.
    private func call(_ x86: Int, _ arm: Int, _ arguments: [String]) -> String {
      #if arch(x86_64)
        let number = x86
      #else
        let number = arm
      #endif
      return "((long(*)(long,...))syscall)(" + (["\(number)"] + arguments).joined(separator: ", ") + ")"
    }

    /// The child, as soon as its filter is in place; nil where that does not come within a minute.
    private func confinedChild(of process: Int32) throws -> Int32? {
      for _ in 0..<600 {
        // Each thread has children of its own.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = threads.map { thread in
          (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)) ?? ""
        }.joined()
        for child in children.split(separator: " ").compactMap({ Int32($0) }) where try status(child, "Seccomp") == "2"
        {
          return child
        }
        Thread.sleep(forTimeInterval: 0.1)
      }
      return nil
    }

    /// A line of what the kernel says of a process.
    private func status(_ process: Int32, _ name: String) throws -> String? {
      let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      return text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    private func answers(in process: Int32, _ calls: [String: String]) throws -> [String: Int] {
      // Strings that gdb would put into the process's memory need its allocator: the stack does as well.
      var script: [String] = []
      for (name, call) in calls.sorted(by: { $0.key < $1.key }) {
        var call = call
        var place = 4096
        while let start = call.firstIndex(of: "\""), let end = call[call.index(after: start)...].firstIndex(of: "\"") {
          let text = call[call.index(after: start)..<end]
          let bytes = (text.utf8.map { "\($0)" } + ["0"]).joined(separator: ",")
          script.append("set var *(char(*)[\(text.utf8.count + 1)])($sp - \(place)) = {\(bytes)}")
          call.replaceSubrange(start...end, with: "$sp - \(place)")
          place += 1024
        }
        script.append("printf \"ANSWER \(name)=%ld\\n\", \(call)")
      }
      let outcome = try withNoSignalsBlocked {
        try Command.run(
          "timeout",
          ["60", "gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-p", "\(process)"]
            + script.flatMap { ["-ex", $0] })
      }
      var answers: [String: Int] = [:]
      for line in outcome.output.split(separator: "\n") where line.hasPrefix("ANSWER ") {
        let parts = line.dropFirst(7).split(separator: "=")
        if parts.count == 2 { answers[String(parts[0])] = Int(parts[1]) }
      }
      return answers
    }
  }
#endif
