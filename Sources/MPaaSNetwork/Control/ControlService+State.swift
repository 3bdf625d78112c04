extension ControlService {
  /// Writes the state down, before anybody is told that it changed.
  package func keep() async {
    await keeper?.keep { await self.state }
  }

  /// Writes the state down as that of a server that ended as it was told to.
  package func end() async {
    await stopTimelines()
    await keeper?.end(await state)
  }

  /// The state to find again: the toxics of profiles, buttons and timelines stand under their layers.
  private var state: KeptState {
    get async {
      let prefixes = layers.keys.map { $0 + "." } + players.keys.map { "timeline-\($0)." }
      let proxies = await collection.all.map { proxy in
        var proxy = proxy
        proxy.toxics.removeAll { toxic in prefixes.contains { toxic.name.hasPrefix($0) } }
        return proxy
      }
      return KeptState(proxies: proxies, layers: layers)
    }
  }

  /// Brings back what was kept: proxies with their addresses and toxics, the profile, the buttons.
  ///
  /// - Returns: What could not be brought back; a proxy that cannot listen is there, disabled.
  package func restore(_ state: KeptState) async -> [NetworkError] {
    var failures: [NetworkError] = []
    for kept in state.proxies {
      var proxy = kept
      do throws(NetworkError) { try proxy.checkEffects(of: proxy.toxics) } catch { failures.append(error) }
      proxy.toxics.removeAll { !kept.kind.takes($0.condition.kind) }
      do throws(NetworkError) {
        _ = try await collection.add(proxy)
      } catch {
        failures.append(error)
        var disabled = proxy
        disabled.isEnabled = false
        _ = try? await collection.add(disabled)
      }
    }
    for (layer, applied) in state.layers.sorted(by: { $0.value.place < $1.value.place }) {
      do {
        let present = await collection.all.map(\.name)
        let proxies = applied.proxies?.filter(present.contains)
        if layer == "profile" {
          try await hold(applied.name, on: proxies)
        } else if Self.buttonNames.contains(applied.name) {
          try await hold(button: applied.name, on: proxies)
        }
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}
