import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Clients of others as they are, against the server.
@Suite("Clients of flags work unmodified", .flagClients) struct FlagPeerTests {
  private static let state = """
    [{"type":"hydration","features":[
      {"name":"search","enabled":true,"strategies":[{"name":"flexibleRollout","parameters":
        {"rollout":"100","stickiness":"default","groupId":"g"},"segments":[1]}],
       "variants":[{"name":"blue","weight":1,"payload":{"type":"number","value":"1.0"}}]},
      {"name":"old","enabled":false}],
      "segments":[{"id":1,"constraints":[{"contextName":"city","operator":"IN","values":["杭州"]}]}]}]
    """

  @Test("UnleashClient: by polling and by streaming, a kill switch in between, metrics", arguments: ["poll", "stream"])
  func unleash(way: String) async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(Self.state)
    let change = FlagChangeRequest(
      .events(#"[{"type":"feature-updated","feature":{"name":"search","enabled":false,"type":"kill-switch"}}]"#))
    let output = try await PythonClient.run(
      """
      import sys, time, tempfile, urllib.request
      from UnleashClient import UnleashClient
      url, key, token, way, change = sys.argv[1:]
      extra = {"experimental_mode": {"type": "streaming"}} if way == "stream" else {}
      client = UnleashClient(url + "/unleash/api", "app", custom_headers={"Authorization": key}, refresh_interval=1,
                             metrics_interval=1, cache_directory=tempfile.mkdtemp(), **extra)
      client.initialize_client()
      here = {"userId": "7", "properties": {"city": "杭州"}}
      def until(wanted):
          end = time.time() + 300
          while client.is_enabled("search", here) != wanted and time.time() < end:
              time.sleep(0.05)
          return client.is_enabled("search", here)
      print(until(True), client.is_enabled("search", {"userId": "7"}), client.is_enabled("old"))
      variant = client.get_variant("search", here)
      print(variant["name"], variant["payload"]["value"])
      request = urllib.request.Request(url + "/api/v1/flags/changes", change.encode(), method="POST",
                                       headers={"Authorization": "Bearer " + token})
      urllib.request.urlopen(request).read()
      print(until(False))
      time.sleep(1.5)
      client.destroy()
      """, [server.run.ready.url, server.run.ready.appKey, server.token, way, change.json])
    #expect(output == "True False False\nblue 1.0\nFalse\n")
    #expect(server.services.counts["accepted.flag-client"] > 0)
    let page: FlagUsagePage = try await server.send("GET", FlagPaths.usage).value()
    #expect(page.usage.first { $0.flag == "search" }?.yes ?? 0 > 0)
    await server.end()
  }

  @Test("OpenFeature's SDK with the provider of its remote evaluation: values of each type, and why there is none")
  func openFeature() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(Self.state)
    let output = try await PythonClient.run(
      """
      import sys
      from openfeature import api
      from openfeature.contrib.provider.ofrep import OFREPProvider
      from openfeature.evaluation_context import EvaluationContext
      url, key = sys.argv[1:]
      api.set_provider(OFREPProvider(url, headers_factory=lambda: {"X-API-Key": key}))
      client = api.get_client()
      here, there = EvaluationContext("7", {"city": "杭州"}), EvaluationContext("7")
      def show(details):
          print(details.value, details.reason, details.variant, details.error_code)
      show(client.get_float_details("search", 2.5, here))
      show(client.get_boolean_details("search", True, there))
      show(client.get_boolean_details("old", True, here))
      show(client.get_boolean_details("none", True, here))
      show(client.get_boolean_details("old", True))
      """, [server.run.ready.url, server.run.ready.appKey])
    #expect(
      output == """
        1.0 TARGETING_MATCH blue None
        False TARGETING_MATCH disabled None
        False DISABLED disabled None
        True ERROR None FLAG_NOT_FOUND
        True ERROR None TARGETING_KEY_MISSING

        """)
    await server.end()
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test where the clients of Unleash and OpenFeature are not installed.
  static var flagClients: Self {
    .enabled(
      if: (try? Command.run(
        Fixture.python, ["-c", "import UnleashClient, openfeature.contrib.provider.ofrep"]))?.status == 0,
      "UnleashClient and OpenFeature are not installed: run scripts/bootstrap --peers")
  }
}
