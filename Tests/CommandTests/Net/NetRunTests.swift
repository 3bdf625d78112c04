import Foundation
import MPaaSTestSupport
import Testing

/// A network namespace of a test's own, with nothing in it but a loopback and a web server there.
private struct EmptyMachine {
  /// Tells whether this process may make namespaces and has what the scripts call.
  static let isThere: Bool = {
    let outcome = try? Command.run(
      "unshare", ["-n", "sh", "-c", "ip tuntap add dev t0 mode tun && iptables -t nat -L >/dev/null"])
    return outcome?.status == 0 && Command.find("python3") != nil
  }()

  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try Data("hello\n".utf8).write(to: home.url.appending(path: "page.txt"))
  }

  /// Runs a script with `$M` as our command, `$PORT` as the server's port.
  func run(_ script: String) throws -> Command.Outcome {
    let head = """
      M="\(Command.mpaas.path)"
      ip link set lo up
      cd "\(home.path)"
      python3 -u -m http.server 8099 --bind 127.0.0.1 >server.log 2>&1 & SERVER=$!
      trap 'kill $SERVER' EXIT
      for i in $(seq 100); do grep -q Serving server.log && break; sleep 0.1; done

      """
    return try Command.run(
      "unshare", ["-n", "bash", "-c", head + script],
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
  }
}

@Suite(
  "mpaas net run", .serialized,
  .enabled(if: EmptyMachine.isThere, "no rights for network namespaces, or no ip, iptables, python3"))
struct NetRunTests {
  private let machine: EmptyMachine

  init() throws { machine = try EmptyMachine() }

  @Test("a proxy delays the names that a program asks for, and says where the host is")
  func proxyNames() throws {
    let outcome = try machine.run(
      #"""
      START=$(date +%s%3N)
      $M net run --mode proxy --toxic 'dns_delay 400ms' -- \
        sh -c 'curl -sS -o /dev/null http://missing.test:8099/; curl -sS http://$MPAAS_NET_HOST:8099/page.txt'
      echo "after $(($(date +%s%3N) - START))"
      """#)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "hello", "\(outcome)")
    #expect(!outcome.errors.contains("mpaas net serve"), "\(outcome)")
    #expect(lines.last?.split(separator: " ").last.flatMap { Int($0) } ?? 0 >= 400)
  }

  @Test("a program in a namespace reaches the host's servers late, and nothing is left behind")
  func namespace() throws {
    let outcome = try machine.run(
      #"""
      START=$(date +%s%3N)
      $M net run --toxic 'latency 150ms' --host-port 8099 -- \
        sh -c 'ip -4 -br addr show mpaas0; curl -sS http://$MPAAS_NET_HOST:8099/page.txt http://127.0.0.1:8099/page.txt; exit 7'
      echo "status $? after $(($(date +%s%3N) - START))"
      iptables-save | grep mpaas; ip -br link; cat /proc/sys/net/ipv4/ip_forward; ls data/net/shaping
      """#)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 6, "\(outcome)")
    #expect(lines.first?.contains("10.213.") == true)
    #expect(lines.dropFirst().prefix(2) == ["hello", "hello"])
    let last = lines.dropFirst(3).first?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    #expect(lines.dropFirst(3).first?.hasPrefix("status 7 after") == true)
    #expect(last >= 300)
    #expect(lines.last == "0")
    #expect(!lines.dropFirst().contains { $0.contains("mpaas") })
  }

  @Test("the result says what went through, and the program's standard output is its own")
  func result() throws {
    let outcome = try machine.run(
      #"$M net run --json --profile lte -- sh -c 'curl -s http://$MPAAS_NET_HOST:8099/page.txt >/dev/null'"#)
    let result = try json(outcome.output)
    #expect(result["mode"] as? String == "namespace")
    #expect(result["status"] as? Int == 0)
    #expect(result["conditions"] as? String == "lte")
    let down = try #require(result["downstream"] as? [String: Any])
    #expect((down["bytes"] as? Int ?? 0) > 200)
    #expect((down["packets"] as? Int ?? 0) >= 4)
  }

  @Test("in flight mode connections fail at once, and a timeline ends it")
  func flightMode() throws {
    let outcome = try machine.run(
      #"""
      $M net run --timeline 'at 0s: flight mode for 1s' -- sh -c '
        curl -s --max-time 20 http://$MPAAS_NET_HOST:8099/page.txt; echo "failed $?"
        curl -s --retry 20 --retry-all-errors --retry-delay 1 http://$MPAAS_NET_HOST:8099/page.txt'
      """#)
    #expect(outcome.output == "failed 7\nhello\n", "\(outcome)")
  }

  @Test("what a killed run leaves is found by the doctor and undone by unshape")
  func killed() throws {
    let outcome = try machine.run(
      #"""
      $M net run --profile 3g -- sh -c 'echo $$ >child; exec sleep 60' &
      for i in $(seq 100); do test -s child && break; sleep 0.1; done
      kill -9 $!; wait $! 2>/dev/null; sleep 0.5
      echo "rules $(iptables-save | grep -c mpaas) forward $(cat /proc/sys/net/ipv4/ip_forward)"
      grep -q '^State:.[^Z]' /proc/$(cat child)/status 2>/dev/null && echo "child lives"
      $M doctor --json | python3 -c '
      import json, sys
      print([c["status"] for c in json.load(sys.stdin)["checks"] if c["name"] == "shaping"])'
      $M net unshape --json
      echo "rules $(iptables-save | grep -c mpaas) forward $(cat /proc/sys/net/ipv4/ip_forward)"
      $M net unshape
      """#)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5, "\(outcome)")
    #expect(lines.first?.hasPrefix("rules 0") == false)
    #expect(lines.first?.hasSuffix("forward 1") == true)
    #expect(lines.dropFirst().first == "['warning']")
    #expect(lines.dropFirst(2).first?.contains(#""state":"undone""#) == true)
    #expect(lines.dropFirst(3) == ["rules 0 forward 0", "nothing is shaped"])
  }

  @Test("a signal goes to the program, and all is undone after it")
  func signalled() throws {
    let outcome = try machine.run(
      #"""
      $M net run -- sh -c 'echo $$ >child; exec sleep 60' &
      for i in $(seq 100); do test -s child && break; sleep 0.1; done
      kill -TERM $!; wait $!; echo "status $?"; iptables-save | grep mpaas
      """#)
    #expect(outcome.output == "status 143\n", "\(outcome)")
  }

  @Test("an interface is shaped, shown by the doctor, and given back")
  func shape() throws {
    let outcome = try machine.run(
      #"""
      $M net shape --interface lo --toxic 'up rate 1Mbit/s' >/dev/null && tc qdisc show dev lo | grep -c 4d50
      $M doctor --json | grep -c 'lo is shaped'
      $M net unshape >/dev/null; tc qdisc show dev lo | grep -c 4d50
      tc qdisc add dev lo root handle 7: pfifo
      $M net shape --interface lo --toxic 'up rate 1Mbit/s'; echo "status $?"
      $M net shape --interface none 3g; echo "status $?"
      tc qdisc del dev lo root
      $M net shape --interface lo --for 300ms --toxic 'up rate 1Mbit/s' >/dev/null 2>&1; tc qdisc show dev lo | grep -c 4d50
      """#)
    #expect(outcome.output == "1\n1\n0\nstatus 73\nstatus 66\n0\n", "\(outcome)")
  }

  @Test("without a namespace the program is told of a proxy, whatever said otherwise")
  func proxy() throws {
    let outcome = try Command.run(
      "mpaas", ["net", "run", "--mode", "proxy", "--bypass", "a.test", "--", "env"],
      environment: [
        "MPAAS_HOME": machine.home.path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_PROXY": "*", "https_proxy": "http://o:1",
      ])
    let lines = Set(outcome.output.split(separator: "\n").map(String.init))
    #expect(lines.contains { $0.hasPrefix("http_proxy=http://127.0.0.1:") }, "\(outcome)")
    #expect(lines.contains { $0.hasPrefix("HTTPS_PROXY=http://127.0.0.1:") })
    #expect(lines.contains("NO_PROXY=a.test"))
    #expect(outcome.errors.contains("http://o:1"))
  }

  @Test("what makes no sense is refused before anything is done")
  func refusals() throws {
    func run(_ arguments: String...) throws -> Int32 {
      try Command.run("mpaas", ["net"] + arguments, environment: ["MPAAS_HOME": machine.home.path]).status
    }
    #expect(try run("run") == 64)
    #expect(try run("run", "--profile", "no-such", "--", "true") == 66)
    #expect(try run("run", "--mode", "proxy", "--user", "no such", "--", "true") == 66)
    #expect(try run("run", "--mode", "proxy", "--", "/no/such/program") == 127)
    #expect(try run("shape") == 64)
    #expect(try run("shape", "--for", "soon", "3g") == 64)
  }
}
