#if canImport(ObjectiveC)
  import Dispatch
  public import SnapshotFoundation

  /// The bridge to the undo manager of a window or a document.
  extension UndoHistory {
    /// Registers the step that was last made, so that the manager's *Undo* takes it back, and its *Redo* does it again. Call it
    /// after each step that is to be in the manager, once for those that are joined by a key or a group; steps must not be
    /// undone in another way then. A menu item whose step is not the last one any more does nothing.
    @MainActor
    public func registerLastStep(with manager: UndoManager) {
      guard let step = next(isUndo: true) else { return }
      register(step.id, step.name, with: manager, isUndo: true)
    }

    @MainActor
    private func register(_ id: Int, _ name: String?, with manager: UndoManager, isUndo: Bool) {
      // The manager does not keep its target alive; what it is to do does.
      manager.registerUndo(withTarget: self) { [self] _ in
        MainActor.assumeIsolated {
          do {
            if try takeBack(id, isUndo: isUndo) { register(id, name, with: manager, isUndo: !isUndo) }
          } catch {
            // The step is still there. While the manager undoes, it would take this for what is to be done again.
            DispatchQueue.main.async { self.register(id, name, with: manager, isUndo: isUndo) }
          }
        }
      }
      if let name { manager.setActionName(name) }
    }
  }
#endif
