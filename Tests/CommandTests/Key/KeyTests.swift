import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas key") struct KeyTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  private func key(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try mpaas(["key"] + arguments, home: home, environment: ["MPAAS_PASSPHRASE": ""], input: input)
  }

  private func write(_ text: String, _ name: String) throws -> String {
    let path = home.path + "/" + name
    let isMade = FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    #expect(isMade)
    return path
  }

  @Test("a key under a passphrase is made, shown, exported and removed; its fingerprint is all that is printed")
  func passphrase() throws {
    let file = try write("correct horse\n", "pw")
    let made = try key(
      "generate", "--name", "release", "--passphrase-file", file, "--role", "patches", "--expires", "365d")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.wholeMatch(of: /([a-z]{5}-){7}[a-z]{5}\n/) != nil)
    let shown = try json(key("show", "--name", "release", "--json").output)
    #expect(shown["fingerprint"] as? String == made.output.dropLast().description)
    #expect(shown["encrypted"] as? Bool == true)
    #expect(shown["roles"] as? [String] == ["patches"])
    #expect(shown["state"] as? String == "good")
    #expect(shown["key_id"] is String)
    #expect(shown["expires"] is String)
    let wrong = try key(
      "export", "--name", "release", "--private", "--unencrypted", "--passphrase-file", write("no", "no"))
    #expect(wrong.status == 77)
    #expect(wrong.output.isEmpty)
    #expect(wrong.errors.contains("passphrase"))
    let plain = try key("export", "--name", "release", "--private", "--unencrypted", "--passphrase-file", file)
    #expect(plain.output.hasPrefix("-----BEGIN PRIVATE KEY-----"), "\(plain.errors)")
    #expect(try key("remove", "--name", "release").status == 64)
    #expect(try key("remove", "--name", "release", "--force").status == 0)
    #expect(try key("show", "--name", "release").status == 66)
  }

  @Test("without a passphrase and a terminal nothing is made")
  func noPassphrase() throws {
    let outcome = try key("generate", "--name", "a", "--json")
    #expect(outcome.status == 64)
    #expect(try (json(outcome.errors)["error"] as? [String: Any])?["code"] as? String == "input-needed")
    #expect(try json(key("list", "--json").output)["keys"] as? [String] == [])
  }

  @Test("a person types a passphrase twice, and it is not shown", .tool("script"))
  func typed() throws {
    let program = Command.mpaas.path
    func run(_ input: String) throws -> Command.Outcome {
      // Keys that come before the terminal stops showing them would be shown by the terminal itself.
      let line = "stty -echo; '\(program)' key generate --name typed"
      return try Command.run(
        "script", ["-qec", line, "/dev/null"], input: input,
        environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": "en", "MPAAS_PASSPHRASE": ""])
    }
    let differs = try run("one\ntwo\n")
    #expect(differs.output.contains("differ"), "\(differs.output)")
    #expect(try key("show", "--name", "typed").status == 66)
  }

  @Test("keys come from OpenSSL, and go back to it", .tool("openssl"), arguments: ["ed25519", "p256", "rsa"])
  func openssl(type: String) throws {
    let arguments = ["ed25519": ["ed25519"], "p256": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "rsa": ["RSA"]]
    let pem = try Command.run("openssl", ["genpkey", "-algorithm"] + #require(arguments[type]))
    let path = try write(pem.output, "key.pem")
    let imported = try key("import", path, "--name", "mine", "--unencrypted", "--json")
    #expect(try json(imported.output)["kind"] as? String == type, "\(imported.errors)")
    let expected = try Command.run("openssl", ["pkey", "-in", path, "-pubout"])
    #expect(try key("export", "--name", "mine", "--public", "--format", "pem").output == expected.output)
    #expect(try key("import", path, "--name", "mine", "--unencrypted").status == 73)
  }

  @Test("age encrypts to a key, and its identity opens what came of it", .tool("age"))
  func age() throws {
    #expect(try key("generate", "--name", "app", "--type", "age", "--unencrypted").status == 0)
    let recipient = try key("export", "--name", "app").output
    #expect(recipient.hasPrefix("age1"))
    let identity = home.path + "/identity"
    #expect(
      try key("export", "--name", "app", "--private", "--unencrypted", "--format", "age", "--output", identity).status
        == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: identity)[.posixPermissions] as? Int == 0o600)
    let sealed = home.path + "/sealed"
    _ = try Command.run(
      "age", ["-r", recipient.trimmingCharacters(in: .whitespacesAndNewlines), "-o", sealed], input: "hi")
    #expect(try Command.run("age", ["-d", "-i", identity, sealed]).output == "hi")
    #expect(try key("import", identity, "--name", "copy", "--unencrypted", "--json").status == 0)
    #expect(try key("export", "--name", "copy").output == recipient)
  }

  @Test("minisign accepts a signature of a key, and its own is accepted; no other file passes", .tool("minisign"))
  func minisign() throws {
    #expect(try key("generate", "--name", "team", "--unencrypted").status == 0)
    let file = try write("hello", "file")
    let signed = try key("sign", file, "--name", "team", "--comment", "version 3", "--json")
    #expect(try json(signed.output)["comment"] as? String == "version 3", "\(signed.errors)")
    let publicKey = try write(key("export", "--name", "team", "--format", "minisign").output, "team.pub")
    let theirs = try Command.run("minisign", ["-V", "-p", publicKey, "-m", file])
    #expect(theirs.status == 0, "\(theirs.errors)")
    #expect(theirs.output.contains("version 3"), "\(theirs.errors)")
    #expect(try json(key("verify", file, "--trust", "team", "--json").output)["verified"] as? Bool == true)
    #expect(try key("verify", file, "--trust", publicKey).status == 0)
    let made = try Command.run(
      "minisign", ["-G", "-W", "-p", home.path + "/their.pub", "-s", home.path + "/their.sec"])
    #expect(made.status == 0)
    let signature = home.path + "/their.sig"
    #expect(
      try Command.run("minisign", ["-S", "-s", home.path + "/their.sec", "-m", file, "-x", signature]).status == 0)
    #expect(try key("verify", file, "--trust", home.path + "/their.pub", "--signature", signature).status == 0)
    #expect(try key("verify", file, "--trust", "team", "--signature", signature).status == 77)
    let other = try write("hallo", "other")
    let outcome = try key("verify", other, "--trust", "team", "--signature", file + ".minisig")
    #expect(outcome.status == 77)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("\ncode: signature-invalid (mpaas explain signature-invalid)\n"))
    #expect(try key("revoke", "--name", "team").status == 0)
    #expect(try key("sign", file, "--name", "team").status == 77)
  }

  @Test("age opens what a key encrypts and the other way round; nothing is written where no key fits", .tool("age"))
  func encryption() throws {
    for name in ["app", "other"] {
      #expect(try key("generate", "--name", name, "--type", "age", "--unencrypted").status == 0)
    }
    let recipient = try key("export", "--name", "app").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let (file, sealed) = (try write("hello", "file"), home.path + "/sealed")
    let identity = try write(key("export", "--name", "app", "--private", "--unencrypted").output, "identity")
    for armor in [[], ["--armor"]] {
      let outcome = try mpaas(["key", "encrypt", file, "--recipient", recipient, "-o", sealed] + armor, home: home)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Command.run("age", ["-d", "-i", identity, sealed]).output == "hello")
    }
    _ = try Command.run("age", ["-r", recipient, "-o", sealed, file])
    let plain = home.path + "/plain"
    let refused = try key("decrypt", sealed, "--name", "other", "-o", plain)
    #expect(refused.status == 77)
    #expect(!FileManager.default.fileExists(atPath: plain))
    #expect(try key("decrypt", sealed, "--name", "app", "-o", plain).status == 0)
    #expect(try String(contentsOfFile: plain, encoding: .utf8) == "hello")
    #expect(try key("encrypt", file, "--recipient", "app", "-o", home.path + "/./file").status == 64)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "hello")
  }

  @Test("slips are told before anything is made: a time that is past, a key that minisign has none of, two lines")
  func slips() throws {
    let file = try write("hello", "file")
    #expect(try key("generate", "--name", "old", "--unencrypted", "--expires", "2020-01-01").status == 64)
    #expect(try key("generate", "--name", "nist", "--type", "p256", "--unencrypted").status == 0)
    let refused = try key("sign", file, "--name", "nist", "--json")
    #expect(try (json(refused.errors)["error"] as? [String: Any])?["code"] as? String == "key-not-minisign")
    #expect(refused.status == 64)
    #expect(try key("generate", "--name", "team", "--unencrypted").status == 0)
    #expect(try key("sign", file, "--name", "team", "--comment", "a\nb").status == 64)
    #expect(!FileManager.default.fileExists(atPath: file + ".minisig"))
  }

  @Test("files of signify are imported, exported, signed for and verified", .tool("signify-openbsd"))
  func signify() throws {
    func signify(_ arguments: String...) throws -> Int32 {
      try Command.run("signify-openbsd", arguments, directory: home.url).status
    }
    let file = try write("text", "m")
    #expect(try signify("-G", "-n", "-p", "s.pub", "-s", "s.sec") == 0)
    #expect(try signify("-S", "-s", "s.sec", "-m", "m", "-x", "m.sig") == 0)
    #expect(try key("verify", file, "--trust", home.path + "/s.pub").status == 0)
    #expect(try key("verify", file, "--trust", home.path + "/s.pub", "-H").status == 77)
    let imported = try key("import", home.path + "/s.sec", "--name", "mine", "--unencrypted")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try key("verify", file, "--trust", "mine").status == 0)
    let signed = try key("sign", file, "--name", "mine", "--format", "signify", "-o", home.path + "/o.sig")
    #expect(signed.status == 0, "\(signed.errors)")
    #expect(try signify("-V", "-p", "s.pub", "-m", "m", "-x", "o.sig") == 0)
    let secret = home.path + "/o.sec", open = home.path + "/o.pub"
    #expect(try key("export", "--name", "mine", "--private", "--format", "signify", "-o", secret).status == 64)
    let exported = try key(
      "export", "--name", "mine", "--private", "--format", "signify", "--unencrypted", "-o", secret)
    #expect(exported.status == 0, "\(exported.errors)")
    #expect(try key("export", "--name", "mine", "--format", "signify", "-o", open).status == 0)
    #expect(try signify("-S", "-s", "o.sec", "-m", "m", "-x", "p.sig") == 0)
    #expect(try signify("-V", "-p", "o.pub", "-m", "m", "-x", "p.sig") == 0)
    #expect(try key("verify", file, "--trust", open, "--signature", home.path + "/p.sig").status == 0)
    try FileManager.default.removeItem(atPath: file)
    #expect(try key("verify", write("other", "m"), "--trust", open).status == 77)
  }

  @Test("with -H only signatures over the file's digest are taken", .tool("minisign"))
  func prehashed() throws {
    let file = try write("text", "m")
    func minisign(_ arguments: String...) throws -> Int32 {
      try Command.run("minisign", arguments, directory: home.url).status
    }
    #expect(try minisign("-G", "-W", "-p", "k.pub", "-s", "k.sec") == 0)
    for (option, status) in [([], 0), (["-l"], 77)] as [([String], Int32)] {
      let line = ["-S"] + option + ["-s", "k.sec", "-m", "m"]
      #expect(try Command.run("minisign", line, directory: home.url).status == 0)
      #expect(try key("verify", file, "--trust", home.path + "/k.pub").status == 0)
      let strict = try key("verify", file, "--trust", home.path + "/k.pub", "-H", "--json")
      #expect(strict.status == status, "\(strict.errors)")
      if status != 0 { #expect(strict.errors.contains("signature-not-prehashed")) }
    }
  }

  @Test("a process that has a passphrase or a key in memory leaves no core; what it starts may", .tool("python3"))
  func core() throws {
    #expect(try key("generate", "--name", "a", "--unencrypted").status == 0)
    let file = try write("text", "m")
    // Waits for the rest of a passphrase, or of a file that is no secret.
    let script = """
      import array, fcntl, os, resource, signal, subprocess, sys, termios, time
      program, home, file, signal_number = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
      resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
      def ended(*arguments):
          ours, theirs = os.pipe()
          os.write(theirs, b"correct ")
          process = subprocess.Popen([program, *[a.replace("FD", str(ours)) for a in arguments]], pass_fds=[ours],
                                     stdin=ours, stdout=subprocess.DEVNULL, cwd=home,
                                     env={"MPAAS_HOME": home, "SWIFT_BACKTRACE": "enable=no"})
          left, end = array.array("i", [1]), time.time() + 60
          while left[0] and time.time() < end:
              time.sleep(0.05)
              fcntl.ioctl(ours, termios.FIONREAD, left)
          os.kill(process.pid, signal_number)
          _, status = os.waitpid(process.pid, 0)
          return os.WTERMSIG(status) == signal_number, os.WCOREDUMP(status)
      print(ended("key", "generate", "--name", "b", "--passphrase-fd", "FD"), ended("crash", "show", "-"))
      """
    let program = Command.mpaas.path
    for signal in [SIGABRT, SIGSEGV] {
      let outcome = try Command.run("python3", ["-c", script, program, home.path, file, String(signal)])
      // The second shows that a core would have been left; where the machine keeps none, it shows nothing.
      #expect(outcome.output.hasPrefix("(True, False)"), "\(outcome)")
    }
  }

  @Test("a damaged record is told, and does not hide the other keys")
  func damagedRecord() throws {
    for name in ["a", "b"] { #expect(try key("generate", "--name", name, "--unencrypted").status == 0) }
    try "junk".write(toFile: home.path + "/config/keys/a.json", atomically: true, encoding: .utf8)
    let outcome = try key("list", "--json")
    let keys = try #require(json(outcome.output)["keys"] as? [[String: Any]])
    #expect(outcome.status == 0)
    #expect(keys.map { $0["name"] as? String } == ["b"])
    #expect(outcome.errors.contains("a.json"))
    #expect(try key("show", "--name", "a").status == 65)
  }

  @Test("refusal 66: a private key that others can read is not used, with status 77")
  func permissions() throws {
    #expect(try key("generate", "--name", "a", "--unencrypted").status == 0)
    let path = home.path + "/config/keys/a.key"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let outcome = try key("export", "--name", "a", "--private", "--unencrypted", "--json")
    #expect(outcome.status == 77)
    #expect(outcome.output.isEmpty)
    #expect(try (json(outcome.errors)["error"] as? [String: Any])?["code"] as? String == "key-file-permissions")
  }

  @Test("a successor is made and trusted where the old key is; a wrong fingerprint trusts nothing")
  func rotate() throws {
    #expect(try key("generate", "--name", "team", "--unencrypted").status == 0)
    let pem = try write(key("export", "--name", "team").output, "team.pem")
    let rotated = try json(key("rotate", "--name", "team", "--unencrypted", "--json").output)
    let statement = try #require(rotated["statement"] as? String)
    #expect((rotated["new"] as? [String: Any])?["name"] as? String == "team-2")
    #expect((rotated["steps"] as? [String])?.isEmpty == false)
    let other = try TemporaryFolder()
    let wrong = try mpaas("key", "trust", pem, "--fingerprint", "lusab-babad", home: other)
    #expect(wrong.status == 77)
    #expect(try mpaas("key", "trust", "--rotation", statement, home: other).status == 77)
    #expect(try mpaas("key", "trust", pem, "--role", "patches", home: other).status == 0)
    let trusted = try mpaas("key", "trust", "--rotation", statement, "--json", home: other)
    #expect(trusted.status == 0, "\(trusted.errors)")
    let keys = try #require(json(mpaas("key", "list", "--json", home: other).output)["keys"] as? [[String: Any]])
    #expect(keys.map { $0["name"] as? String } == ["team-2", "team"])
    #expect(keys.allSatisfy { $0["trusted"] as? Bool == true && $0["roles"] as? [String] == ["patches"] })
    #expect(try mpaas("key", "revoke", "--name", "team", home: other).status == 0)
  }

  @Test("refusal 27: a published key is not imported")
  func published() throws {
    let pem = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      -----END PRIVATE KEY-----

      """
    let outcome = try key("import", write(pem, "demo.pem"), "--name", "demo", "--unencrypted", "--json")
    #expect(outcome.status == 77)
    #expect(try (json(outcome.errors)["error"] as? [String: Any])?["code"] as? String == "key-published")
  }
}
