#if canImport(ObjectiveC)
  import Dispatch
  public import SnapshotFoundation

  /// Connects a history to the undo manager of a window or a document.
  extension UndoHistory {
    /// Registers the last step, so that the manager's *Undo* undoes it, and its *Redo* redoes it.
    ///
    /// Call it after each step that the manager should have. Call it once for steps that a key or a group joins. Do not
    /// undo registered steps in another way. A menu item whose step is not the last one any more does nothing.
    @MainActor
    public func registerLastStep(with manager: UndoManager) {
      guard let step = next(isUndo: true) else { return }
      register(step.id, step.name, with: manager, isUndo: true)
    }

    @MainActor
    private func register(_ id: Int, _ name: String?, with manager: UndoManager, isUndo: Bool) {
      // The manager does not keep its target alive, but it keeps the closure.
      manager.registerUndo(withTarget: self) { [self] _ in
        MainActor.assumeIsolated {
          do {
            if try takeBack(id, isUndo: isUndo) { register(id, name, with: manager, isUndo: !isUndo) }
          } catch {
            // The step still exists. If it were registered now, while the manager undoes, the manager would take it for
            // a redo.
            DispatchQueue.main.async { self.register(id, name, with: manager, isUndo: isUndo) }
          }
        }
      }
      if let name { manager.setActionName(name) }
    }
  }
#endif
