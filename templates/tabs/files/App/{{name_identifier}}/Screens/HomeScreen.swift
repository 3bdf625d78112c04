import SwiftUI

/// The first tab: what can be started from here.
struct HomeScreen: View {
  @Environment(Stage.self) private var stage

  var body: some View {
    List {
      Section("Micro-apps") {
        Button("Open the demo") { stage.start("demo") }
      }
    }
  }
}
