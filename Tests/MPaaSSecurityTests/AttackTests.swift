import CSecurity
import Foundation
import MPaaSSecurity
import MPaaSSecurityTools
import MPaaSTestSupport
import Testing

#if os(Linux)
  /// Attackers as they are met, against a program that looks at itself.
  @Suite("A program that is attacked", .serialized) struct AttackTests {
    private func found(_ words: [String], environment: [String: String] = [:]) throws -> Set<String> {
      let outcome = try Command.run(words[0], Array(words.dropFirst()), environment: environment)
      return Set(outcome.output.split(separator: "\n").filter { $0.contains("\t") }.map { Subject.kind(String($0)) })
    }

    @Test("finds nothing where no one attacks, start after start")
    func clean() throws {
      for _ in 0..<SeededRandom.rounds(or: 20) {
        let outcome = try Command.run(Subject.path, ["check", "all"])
        #expect(outcome.output == "" && outcome.status == 0)
      }
    }

    @Test("finds nothing in a container")
    func container() throws {
      let words = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--net", "--mount"]
      guard Command.find("unshare") != nil, try Command.run("unshare", words + ["true"]).status == 0 else {
        print("skipped: unshare may not make namespaces here")
        return
      }
      let outcome = try Command.run("unshare", words + [Subject.path, "check", "all"])
      #expect(outcome.output == "" && outcome.status == 0)
    }

    @Test("finds gdb, and its breakpoint in code")
    func gdb() throws {
      guard Command.find("gdb") != nil else { return print("skipped: there is no gdb") }
      let words = ["gdb", "-batch", "-nx", "-ex", "break getppid", "-ex", "run", "--args", Subject.path, "check"]
      let found = try found(words)
      #expect(found.isSuperset(of: ["debugger", "patched-code"]), "\(found)")
    }

    @Test("finds strace, and names it")
    func strace() throws {
      guard Command.find("strace") != nil else { return print("skipped: there is no strace") }
      #expect(try found(["strace", "-o", "/dev/null", Subject.path, "check"]) == ["debugger"])
      let outcome = try Command.run("strace", ["-o", "/dev/null", Subject.path, "debugger"])
      #expect(outcome.output == "strace false\n")
    }

    @Test("finds a library that was loaded before all others, and the variable that says so")
    func preload() throws {
      guard let library = try Attack.library("plain", Attack.plain) else { return print("skipped: there is no cc") }
      #expect(
        try found([Subject.path, "check"], environment: ["LD_PRELOAD": library]) == [
          "preload-variable", "preloaded-image",
        ])
      #expect(
        try found([Subject.path, "check"], environment: ["LD_AUDIT": library]) == ["preload-variable", "hidden-image"])
    }

    @Test("expects a library that it was told of, and no other")
    func allowed() throws {
      guard let library = try Attack.library("plain", Attack.plain) else { return print("skipped: there is no cc") }
      let subject = try Subject(environment: ["LD_PRELOAD": library])
      #expect(subject.kinds() == ["preload-variable", "preloaded-image"])
      #expect(subject.ask("allow plain.so") == ["true"])
      #expect(subject.kinds() == [])
    }

    @Test("finds a slot that leads elsewhere, and the function whose it is")
    func slot() throws {
      guard let library = try Attack.library("slot", Attack.slot) else { return print("skipped: there is no cc") }
      let subject = try Subject()
      #expect(subject.ask("function clock_gettime libc.so.6") == ["none"])
      #expect(subject.ask("load \(library)") == ["loaded"])
      #expect(subject.kinds() == ["foreign-image", "replaced-slot"])
      let state = subject.ask("function clock_gettime libc.so.6")
      #expect(state.map(Subject.kind) == ["replaced-slot", "foreign-image"], "\(state)")
    }

    @Test("finds a jump over the beginning of a function, and its name")
    func jump() throws {
      guard let library = try Attack.library("jump", Attack.jump) else { return print("skipped: there is no cc") }
      let subject = try Subject()
      #expect(subject.ask("function getppid") == ["none"])
      #expect(subject.ask("load \(library)") == ["loaded"])
      let lines = subject.ask("check")
      #expect(Set(lines.map(Subject.kind)) == ["foreign-image", "patched-code"])
      #expect(lines.contains { $0.hasPrefix("patched-code\tcertain\tgetppid\t") }, "\(lines)")
      #expect(subject.ask("function getppid").map(Subject.kind) == ["patched-code"])
    }

    @Test("finds code that has no file, or one in memory alone")
    func memory() throws {
      guard let library = try Attack.library("memory", Attack.memory) else { return print("skipped: there is no cc") }
      let subject = try Subject()
      #expect(subject.ask("load \(library)") == ["loaded"])
      #expect(subject.kinds() == ["foreign-image", "anonymous-code", "memory-file"])
    }

    @Test("knows a port that speaks Frida's protocol from others")
    func port() throws {
      let python = Fixture.package.appending(path: ".build/peers/bin/python").path
      guard FileManager.default.isExecutableFile(atPath: python),
        try Command.run(python, ["-c", "import frida"]).status == 0
      else { return print("skipped: the Python package frida is not there (scripts/bootstrap --peers)") }
      let script = """
        import frida, http.server, socket, sys, threading
        web = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
        threading.Thread(target=web.serve_forever, daemon=True).start()
        free = []
        for _ in range(2):
            free.append(socket.socket())
            free[-1].bind(("127.0.0.1", 0))
        ports = [each.getsockname()[1] for each in free]
        for each in free:
            each.close()
        ends = [frida.EndpointParameters(address="127.0.0.1", port=port) for port in ports]
        frida.PortalService(*ends).start()
        print(web.server_address[1], *ports, flush=True)
        sys.stdin.read()
        """
      let portal = Process(), input = Pipe(), output = Pipe()
      portal.executableURL = URL(filePath: python)
      portal.arguments = ["-c", script]
      portal.standardInput = input
      portal.standardOutput = output
      try withNoSignalsBlocked { try portal.run() }
      defer {
        try? input.fileHandleForWriting.close()
        portal.terminate()
      }
      var line = ""
      while !line.contains("\n") {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        line += String(decoding: more, as: UTF8.self)
      }
      let ports = line.split { $0 == " " || $0 == "\n" }.compactMap { UInt16($0) }
      #expect(ports.map { mp_security_is_frida_port($0, 1000) } == [false, true, true], "\(line)")
      #expect(!mp_security_is_frida_port(1, 100))
      let outside = try ProcessCheck(process: portal.processIdentifier).findings().findings
      #expect(outside.count { $0.kind == .frida && $0.subject == "D-Bus" } == 2)
    }

    @Test("finds Frida, its agent and its hooks")
    func frida() throws {
      let python = Fixture.package.appending(path: ".build/peers/bin/python").path
      guard FileManager.default.isExecutableFile(atPath: python),
        try Command.run(python, ["-c", "import frida"]).status == 0
      else {
        return print("skipped: the Python package frida is not there (scripts/bootstrap --peers)")
      }
      let subject = try Subject()
      let script = """
        import frida, sys
        session = frida.attach(int(sys.argv[1]))
        code = "Interceptor.attach(Module.getGlobalExportByName('getppid'), {onEnter() {}});"
        session.create_script(code).load()
        print("attached", flush=True)
        sys.stdin.read()
        """
      let attacker = Process(), input = Pipe(), output = Pipe()
      attacker.executableURL = URL(filePath: python)
      attacker.arguments = ["-c", script, "\(subject.pid)"]
      attacker.standardInput = input
      attacker.standardOutput = output
      try withNoSignalsBlocked { try attacker.run() }
      defer {
        try? input.fileHandleForWriting.close()
        attacker.waitUntilExit()
      }
      // The end of the line may come by itself.
      #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("attached"))
      #expect(subject.kinds().isSuperset(of: ["frida", "patched-code"]))
      let outside = try ProcessFindings.kinds(of: subject.pid)
      #expect(outside.isSuperset(of: ["frida", "patched-code"]), "\(outside)")
    }
  }
#endif
