import Foundation
import SnapshotNotebook
import SnapshotStore

/// The notes of a new notebook.
extension Notebook {
  mutating func addSampleNotes() throws {
    for (text, tags) in Self.samples.reversed() {
      try addNote(text: text, tags: tags.map { tag(named: $0).id })
    }
  }

  private static let samples: [(text: String, tags: [String])] = [
    (
      """
      Welcome to your notebook

      All of it is one value in memory, and one file that you can read. The file is beside this text: type here, and
      watch it change.

      Open this page in a second window. What you do in one is in the other at once.
      """, ["Start here"]
    ),
    (
      """
      With the keyboard

      / searches, and j and k go through the list. Press Enter to write, and Esc to come back. n is a new note, t a tag,
      u undoes. ? shows all keys.
      """, ["Start here"]
    ),
    (
      """
      Drafts and conflicts

      Switch Draft on, and your changes stay in a scratchpad until you save them. If another window has changed the same
      note in the meantime, both texts are shown, and you choose: mine, theirs, or both.
      """, ["Start here", "Ideas"]
    ),
    (
      """
      Paris, in three days

      Musée d'Orsay in the morning, before the queue. It is closed on Mondays.
      Café de Flore at four, then along the river to the Île de la Cité.
      Sainte-Chapelle when the sun is low.
      """, ["Travel"]
    ),
    (
      """
      Bread

      500 g flour, 350 g water, 10 g salt, 100 g sourdough.
      Fold four times in two hours. One night in the refrigerator. 45 minutes at 240 °C.
      """, ["Kitchen"]
    ),
    (
      """
      Books to read

      The Left Hand of Darkness
      Invisible Cities
      A Pattern Language
      """, ["Ideas"]
    ),
    (
      """
      Train to Lyon

      Gare de Lyon, hall 2, 14:04. Seats 61 and 62, upstairs.
      """, ["Travel"]
    ),
    (
      """
      Questions for the garden

      Which apple tree stays small? When are beans sown here? Who has a ladder?
      """, []
    ),
  ]
}
