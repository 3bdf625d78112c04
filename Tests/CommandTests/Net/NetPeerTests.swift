import Foundation
import MPaaSTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the test where the clients of toxiproxy are not installed among the peers.
  static var toxiproxyClients: Self {
    .enabled(
      if: (try? Command.run(Fixture.python, ["-c", "import toxiproxy, chaostoxi"]))?.status == 0,
      "toxiproxy-python and chaostoolkit-toxiproxy are not installed: run scripts/bootstrap --peers")
  }
}

/// Client libraries of toxiproxy, as they are, against `mpaas net serve`.
@Suite("Clients of toxiproxy work unmodified", .toxiproxyClients) struct NetPeerTests {
  let server: NetServer
  let upstream: LoopbackServer

  init() throws {
    server = try NetServer()
    upstream = try LoopbackServer { _, _ in LoopbackServer.answer("200 OK", body: Array("hello".utf8)) }
  }

  private func python(_ program: String) throws {
    let outcome = try Command.run(
      Fixture.python, ["-c", program, "\(server.port)", "\(upstream.port)"], environment: ["no_proxy": "*"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("toxiproxy-python: proxies, toxics, down, populate, reset, destruction")
  func toxiproxyPython() throws {
    try python(
      """
      import sys, time, urllib.request
      import toxiproxy
      from toxiproxy.exceptions import ProxyExists, NotFound, InvalidToxic
      port, upstream = int(sys.argv[1]), "127.0.0.1:" + sys.argv[2]
      server = toxiproxy.Toxiproxy()
      server.update_api_consumer("127.0.0.1", port)
      assert server.running() and b"version" in server.version()
      assert server.proxies() == {} and server.get_proxy("web") is None
      proxy = server.create(name="web", upstream=upstream)
      assert proxy.enabled and proxy.upstream == upstream and not proxy.listen.endswith(":0")
      def get():
          begin = time.monotonic()
          body = urllib.request.urlopen("http://" + proxy.listen, timeout=10).read()
          return body, time.monotonic() - begin
      assert get()[0] == b"hello"
      try:
          server.create(name="web", upstream=upstream); assert False
      except ProxyExists: pass
      proxy.add_toxic(type="latency", attributes={"latency": 300, "jitter": 0})
      proxy.add_toxic(name="slow", type="slow_close", stream="upstream", toxicity=0.5, attributes={"delay": 10})
      body, seconds = get()
      assert body == b"hello" and seconds >= 0.3, seconds
      toxics = proxy.toxics()
      assert sorted(toxics) == ["latency_downstream", "slow"]
      assert toxics["slow"].toxicity == 0.5 and toxics["slow"].stream == "upstream"
      assert proxy.get_toxic("latency_downstream").attributes == {"latency": 300, "jitter": 0}
      try:
          proxy.add_toxic(type="latency"); assert False
      except ProxyExists: pass
      try:
          proxy.add_toxic(type="typewriter"); assert False
      except InvalidToxic: pass
      try:
          proxy.destroy_toxic("nothing"); assert False
      except NotFound: pass
      assert proxy.destroy_toxic("slow") and sorted(proxy.toxics()) == ["latency_downstream"]
      with proxy.down():
          assert not server.get_proxy("web").enabled
          try:
              get(); assert False
          except OSError: pass
      assert server.get_proxy("web").enabled
      proxy.disable()
      assert server.reset() and server.get_proxy("web").enabled and proxy.toxics() == {}
      made = server.populate([{"name": "web", "upstream": upstream, "listen": proxy.listen},
                              {"name": "other", "upstream": upstream, "listen": "127.0.0.1:0"}])
      assert [one.name for one in made] == ["other"], made
      assert server.destroy(proxy) and sorted(server.proxies()) == ["other"]
      server.destroy_all()
      assert server.proxies() == {}
      """)
  }

  @Test("chaostoolkit-toxiproxy: its actions and probes")
  func chaosToolkit() throws {
    try python(
      """
      import sys, urllib.request
      from chaostoxi.proxy import actions as proxies, probes
      from chaostoxi.toxic import actions as toxics
      configuration = {"toxiproxy_host": "127.0.0.1", "toxiproxy_port": sys.argv[1]}
      c = {"configuration": configuration}
      assert proxies.create_proxy("web", "127.0.0.1", int(sys.argv[2]), **c)
      port = configuration["web_PORT"]
      get = lambda: urllib.request.urlopen("http://127.0.0.1:" + port, timeout=10).read()
      assert get() == b"hello"
      assert probes.proxy_exist("web", **c) and not probes.proxy_exist("none", **c)
      assert probes.get_proxy_attribute("web", "enabled", **c) is True
      assert toxics.create_latency_toxic("web", "l", 50, 5, **c)
      assert toxics.create_bandwith_degradation_toxic("web", "b", 100, **c)
      assert toxics.create_slow_connection_close_toxic("web", "c", 10, **c)
      assert toxics.create_slicer_toxic("web", "s", 10, 5, 10, **c)
      assert toxics.create_limiter_toxic("web", "d", 1000000, **c)
      assert toxics.create_toxic("web", "t", "timeout", toxicity=0.0, attributes={"timeout": 1}, **c)
      assert get() == b"hello"
      names = sorted(toxic["name"] for toxic in probes.get_proxy_attribute("web", "toxics", **c))
      assert names == ["b", "c", "d", "l", "s", "t"], names
      for name in names: assert toxics.delete_toxic("web", name, **c)
      assert toxics.create_timeout_toxic("web", "t", 1, **c)
      assert proxies.disable_proxy("web", **c) and probes.get_proxy_attribute("web", "enabled", **c) is False
      assert proxies.reset(**c) and probes.get_proxy_attribute("web", "enabled", **c) is True
      assert probes.get_proxy_attribute("web", "toxics", **c) == []
      assert proxies.modify_proxy("web", upstream_address="127.0.0.1:9", **c)
      assert probes.get_proxy_attribute("web", "upstream", **c) == "127.0.0.1:9"
      proxies.delete_proxy("web", **c)
      assert not probes.proxy_exist("web", **c)
      """)
  }
}
