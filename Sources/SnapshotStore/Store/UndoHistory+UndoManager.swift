#if canImport(ObjectiveC)
  public import Foundation

  /// The bridge to the undo manager of a window or a document.
  extension UndoHistory {
    /// Registers the step that was last made, so that the manager's *Undo* takes it back, and its *Redo* does it again. Call it
    /// after each step that is to be in the manager; steps must not be undone in another way then.
    @MainActor
    public func registerLastStep(with manager: UndoManager) {
      guard let name = undoNames.last else { return }
      register(with: manager, name, isUndo: true)
    }

    @MainActor
    private func register(with manager: UndoManager, _ name: String?, isUndo: Bool) {
      manager.registerUndo(withTarget: self) { history in
        MainActor.assumeIsolated {
          // What cannot be undone, because the store is closed, is not in the manager any more.
          guard (try? isUndo ? history.undo() : history.redo()) != nil else { return }
          history.register(with: manager, name, isUndo: !isUndo)
        }
      }
      if let name { manager.setActionName(name) }
    }
  }
#endif
