import Foundation
import MPaaSTestSupport
import Testing

/// Holds the place of `mpaas crash run` between a program and those who send it signals.
@Suite("mpaas crash run and signals", .tool("python3"), .serialized) struct CrashRunSignalTests {
  /// A program that counts what it gets, and the driver that starts it under observation and sends it things.
  static func drive(_ program: String, _ driver: String) throws -> Command.Outcome {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "program.py")
    try Data(program.utf8).write(to: file)
    let script = """
      import os, pty, select, signal, subprocess, sys, time
      mpaas = \(String(reflecting: Command.mpaas.path))
      command = [mpaas, "crash", "run", "--", sys.executable, \(String(reflecting: file.path))]
      def read_until(descriptor, text, seconds=20):
          got, end = b"", time.time() + seconds
          while text not in got and time.time() < end:
              if select.select([descriptor], [], [], 0.1)[0]:
                  try: got += os.read(descriptor, 4096)
                  except OSError: break
          return got
      \(driver)
      """
    return try Command.run("python3", ["-c", script], environment: ["MPAAS_HOME": folder.path])
  }

  /// A program that says each signal that it gets, and half a second after the last expected one how many of each kind.
  static func counter(expecting count: Int) -> String {
    """
    import os, signal, sys, time
    counts = {}
    def note(number, frame):
        counts[number] = counts.get(number, 0) + 1
        os.write(1, b"got %d\\n" % sum(counts.values()))
    for name in ("INT", "TERM", "HUP", "USR1", "USR2", "WINCH"): signal.signal(getattr(signal, "SIG" + name), note)
    print("ready", flush=True)
    end = time.time() + 60
    while sum(counts.values()) < \(count) and time.time() < end: time.sleep(0.02)
    end = time.time() + 0.5
    while time.time() < end: time.sleep(0.02)
    print("all", " ".join(f"{signal.Signals(n).name}={c}" for n, c in sorted(counts.items())), "end", flush=True)
    sys.exit(9)
    """
  }

  @Test("passes signals sent to it on to the program, each once")
  func forwards() throws {
    let outcome = try Self.drive(
      Self.counter(expecting: 6),
      """
      child = subprocess.Popen(command, stdout=subprocess.PIPE)
      output = child.stdout.fileno()
      read_until(output, b"ready\\n")
      for count, name in enumerate(("INT", "TERM", "HUP", "USR1", "USR2", "WINCH"), 1):
          child.send_signal(getattr(signal, "SIG" + name))
          if count < 6: read_until(output, b"got %d\\n" % count)
      print(child.stdout.read().decode().split("all ")[1], child.wait())
      """)
    #expect(outcome.output == "SIGHUP=1 SIGINT=1 SIGUSR1=1 SIGUSR2=1 SIGTERM=1 SIGWINCH=1 end\n 9\n")
  }

  @Test("a signal to the whole group reaches the program once")
  func group() throws {
    let outcome = try Self.drive(
      Self.counter(expecting: 3),
      """
      child = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
      output = child.stdout.fileno()
      read_until(output, b"ready\\n")
      for count in (1, 2, 3):
          os.killpg(child.pid, signal.SIGINT)
          if count < 3: read_until(output, b"got %d\\n" % count); time.sleep(0.2)
      print(child.stdout.read().decode().split("all ")[1], child.wait())
      """)
    #expect(outcome.output == "SIGINT=3 end\n 9\n")
  }

  @Test("Ctrl-C in a terminal reaches the program once")
  func controlC() throws {
    let outcome = try Self.drive(
      Self.counter(expecting: 2),
      """
      child, terminal = pty.fork()
      if child == 0: os.execv(command[0], command)
      read_until(terminal, b"ready")
      os.write(terminal, b"\\x03"); read_until(terminal, b"got 1"); time.sleep(0.2); os.write(terminal, b"\\x03")
      counted = read_until(terminal, b"end")
      print(b"all SIGINT=2 end" in counted, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """)
    #expect(outcome.output == "True 9\n")
  }

  @Test("Ctrl-C ends a program that does not catch it, and the status is 130")
  func controlCDefault() throws {
    let outcome = try Self.drive(
      "import signal, time; signal.signal(signal.SIGINT, signal.SIG_DFL); print('ready', flush=True); time.sleep(20)",
      """
      child, terminal = pty.fork()
      if child == 0: os.execv(command[0], command)
      read_until(terminal, b"ready")
      os.write(terminal, b"\\x03")
      print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """)
    #expect(outcome.output == "130\n")
  }

  @Test("Ctrl-Z stops it with the program, and both go on together")
  func controlZ() throws {
    let outcome = try Self.drive(
      "import sys, time\\nprint('ready', flush=True)\\nsys.stdin.readline()\\nprint('done', flush=True)\\nsys.exit(4)"
        .replacing("\\n", with: "\n"),
      """
      os.environ["PS1"] = "$ "
      shell, terminal = pty.fork()
      if shell == 0:
          os.execvp("bash", ["bash", "--norc", "-i"])
      read_until(terminal, b"$")
      os.write(terminal, (" ".join(command) + "; echo status=$?\\n").encode())
      read_until(terminal, b"ready")
      os.write(terminal, b"\\x1a")
      stopped = b"Stopped" in read_until(terminal, b"Stopped")
      # The system may still be about to throw away what was typed before Ctrl-Z, and this with it. What is typed before
      # the shell hands the terminal over is the shell's.
      for typed in range(20):
          os.write(terminal, b"fg\\n")
          end = time.time() + 2
          while os.tcgetpgrp(terminal) == shell and time.time() < end: time.sleep(0.02)
          if os.tcgetpgrp(terminal) != shell: break
      os.write(terminal, b"\\n")
      done = b"done" in read_until(terminal, b"done")
      os.write(terminal, b"exit\\n")
      os.close(terminal)
      print(stopped, done)
      """)
    #expect(outcome.output == "True True\n")
  }

  @Test("when it is killed the program goes on, and can still write to its standard error")
  func killed() throws {
    let outcome = try Self.drive(
      """
      import os, sys, time
      print(os.getpid(), "ready", flush=True)
      for _ in range(20): time.sleep(0.05); os.write(2, b"x")
      os.write(2, b"survived")
      """,
      """
      child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
      read_until(child.stdout.fileno(), b"ready\\n")
      child.kill()
      print(child.wait(), child.stderr.read() == b"x" * 20 + b"survived")
      """)
    #expect(outcome.output == "-9 True\n")
  }
}
