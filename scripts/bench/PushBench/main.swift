import Foundation
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import Synchronization

// Times the sender of notifications against a double in another process; scripts/bench/services runs both.
//   PushBench double FOLDER COUNT               takes COUNT tokens; needs key.p8 in FOLDER, and puts url and ca.pem there
//   PushBench send FOLDER COUNT [CONNECTIONS]   sends one notification to each

func token(_ number: Int) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 64 - digits.count) + digits
}

/// Seconds of processor time that this process has used.
func processorTime() -> Double {
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #endif
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
}

let topic = "com.example.shop"
let now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
let arguments = CommandLine.arguments
guard arguments.count > 3, let count = Int(arguments[3]) else { exit(64) }
let folder = arguments[2]
let pem = try String(contentsOfFile: folder + "/key.p8", encoding: .utf8)
let key = try ProviderKey(pem: pem, keyID: "BENCHKEY01", teamID: "BENCHTEAM1")

if arguments[1] == "double" {
  let words: JSONValue = [
    "key_id": .string(key.keyID), "team_id": .string(key.teamID), "public_key": .string(key.publicPEM),
  ]
  var configuration = try Array(words.line.utf8).withUnsafeBytes { try DoubleConfiguration($0) }
  configuration.topics[topic] = Set((0..<count).map(token))
  configuration.behavior.goAwayAfter = arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0
  let double = try await PushDouble.listen(on: "127.0.0.1:0", configuration, now: now)
  try double.authority.write(toFile: folder + "/ca.pem", atomically: true, encoding: .utf8)
  try double.url.write(toFile: folder + "/url", atomically: true, encoding: .utf8)
  try await Task.sleep(for: .seconds(600))
} else {
  let (authority, url) = try (
    [UInt8](Data(contentsOf: URL(filePath: folder + "/ca.pem"))),
    String(contentsOfFile: folder + "/url", encoding: .utf8)
  )
  var alert = APNsAlert()
  alert.body = "Hello!"
  let notification = APNsNotification(payload: alert.payload, topic: topic)
  let provider = try APNsProvider([notification], tokens: ProviderTokens(key, now: now), now: now)
  var options = PushSender.Options()
  options.connections = arguments.count > 4 ? Int(arguments[4]) ?? 1 : 1
  let sender = PushSender(
    provider, to: try PushAddress(url), trust: try PushTrust(authorities: authority), options: options)
  let jobs = (0..<count).map { PushJob(number: $0, token: token($0)) }
  let accepted = Atomic(0)
  let (start, processor) = (ContinuousClock.now, processorTime())
  try await sender.send(jobs) { result in
    if case .accepted = result.outcome { accepted.wrappingAdd(1, ordering: .relaxed) }
  }
  let used = processorTime() - processor
  let rate = Int(Double(count) / used)
  print(
    "\(accepted.load(ordering: .relaxed)) of \(count) accepted; \(rate) a processor second; \(ContinuousClock.now - start)"
  )
}
