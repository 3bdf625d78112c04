import SwiftUI

/// The demo, which is the launcher; micro-apps that are started come on top of it.
struct RootView: View {
  @Environment(Stage.self) private var stage
  @State private var showsSettings = false

  var body: some View {
    NavigationStack(path: Binding(get: { stage.path }, set: { stage.show($0) })) {
      DemoScreen()
        .toolbar {
          Button("Settings", systemImage: "gearshape") { showsSettings = true }
        }
        .navigationDestination(for: RunningApp.self) { MicroAppScreen(application: $0) }
    }
    .sheet(isPresented: $showsSettings) {
      NavigationStack { SettingsScreen() }
    }
    .modifier(FailureAlert())
  }
}
