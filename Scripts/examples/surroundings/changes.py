"""The articles on saving, following, staging, searching, import and export."""

import plistlib

from . import LINE, OPEN, POST, STORE, example, posts
from ..pages import expect, types
from ..programs import Surroundings


def with_a_post(examples):
    """A dashboard with one post."""
    return types(examples["dashboard"]) + OPEN + f"try store.write {{ try $0.posts.insert({POST}) }}\n"


@example("changes")
def changes(examples):
    # Runs on the main actor, so only when the loop waits.
    before = types(examples["dashboard"]) + OPEN + f"""
Task {{
  try store.write {{ try $0.posts.insert({POST}) }}
  try store.write {{ try $0.posts.update("1") {{ $0.body = "A run" }} }}
  try store.write {{ $0.posts.remove("1") }}
  try store.write {{ try $0.posts.insert(Post(id: "2", blogName: "b", body: "Rain", tags: [])) }}
  try await store.close()
}}
"""

    def check(folder, said):
        expect(said == "new: 1\nchanged: A walk → A run\ngone: 1\nnew: 2\n", said)
        expect([post["id"] for post in posts(folder)] == ["2"], posts(folder))
    return Surroundings(check, before=before)


@example("live")
def live(examples):
    before = types(examples["dashboard"]) + OPEN + f"""
@MainActor func show(_ list: LiveList<Post, String>) throws {{
  print(list.map(\\.body))
  try store.write {{ try $0.posts.insert({POST}) }}
}}
@MainActor func animate(_ batch: LiveList<Post, String>.Batch) throws {{
  print(batch.inserts.map {{ batch.after[$0].body }})
  try store.closeAndWait()
}}
"""

    def check(folder, said):
        expect(said == '[]\n["A walk"]\n', said)
        expect([post["body"] for post in posts(folder)] == ["A walk"], posts(folder))
    return Surroundings(check, before=before)


THREE_POSTS = """
try store.write {
  try $0.posts.insert(Post(id: "1", blogName: "b", body: "A walk by the river", tags: ["paris", "walks"]))
  try $0.posts.insert(Post(id: "2", blogName: "b", body: "The Café by the RIVER", tags: []))
  try $0.posts.insert(Post(id: "3", blogName: "b", body: "A river bank", tags: ["cafe\u0301s"]))
}
"""


@example("live-value")
def live_value(examples):
    def check(folder, said):
        expect(said == "0\n1\n2\n" and len(posts(folder)) == 2, said)
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN)


@example("observable")
def observable(examples):
    insert = f"try store.write {{ try $0.posts.insert({POST}) }}\n"
    after = insert.replace('"1"', '"2"') + """
while screen.posts.records.count < 2 { await Task.yield() }
print(screen.posts.records.count)
"""

    def check(_, said):
        expect(said == '["A walk"]\ninserted: 1 deleted: 0\n2\n', said)
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN + insert, after=after)


@example("performance")
def performance(examples):
    def check(_, said):
        # The times depend on what else the machine does.
        expect(said.startswith("100 ") and said.count(" ") == 4, said)
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN)


@example("search")
def search(examples):
    def check(_, said):
        expect(said == "3 river\n2 Café\n2 RIVER\n", said)
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN + THREE_POSTS)


@example("pages")
def pages(examples):
    def check(_, said):
        expect(said == '["cafe\u0301s 3", "paris 1"]\n["walks 1"]\n', said)
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN + THREE_POSTS)


@example("staging")
def staging(examples):
    def check(folder, _):
        expect(posts(folder) == [{"id": "1", "blogName": "Elsewhere", "body": "A long walk", "tags": ["paris"]}], posts(folder))
    return Surroundings(check, before=with_a_post(examples))


@example("conflicts")
def conflicts(examples):
    def check(_, said):
        expect(said == "posts 1, body\nA walk in the morning\n", said)
    return Surroundings(check, before=with_a_post(examples))


@example("merging")
def merging(examples):
    def check(_, said):
        expect(said == '["walk"] A long walk 0\n', said)
    return Surroundings(check, before=with_a_post(examples))


@example("undo")
def undo(examples):
    def check(folder, said):
        expect(said == '["Typing", "Add Tag"]\nA walk 2\n', said)
        expect(posts(folder)[0]["tags"] == ["paris"], posts(folder))
    return Surroundings(check, before=with_a_post(examples))


@example("saving")
def saving(examples):
    def check(folder, said):
        expect(said == "true 1\nfalse 1 1\n", said)
        expect([post["id"] for post in posts(folder)] == ["1"], posts(folder))
    return Surroundings(check, before=STORE + types(examples["dashboard"]))


@example("journal")
def journal(examples):
    def check(folder, said):
        expect(said == "2 0\n3 1\n", said)
        expect([post["body"] for post in posts(folder)] == ["A run"], posts(folder))
        expect(not (folder / ".store.json.journal").exists(), "there is a journal")
    return Surroundings(check, before=STORE + types(examples["dashboard"]))


@example("foreign")
def foreign(examples):
    def check(folder, _):
        expect([post["id"] for post in posts(folder)] == ["Fog", "Rain"], posts(folder))
    before = types(examples["dashboard"]) + OPEN + 'let file = URL(filePath: "other.json")\n'
    return Surroundings(check, before=before, files={"other.json": '[{"title":"Rain"},{"title":"Fog"}]'})


@example("csv")
def csv(examples):
    def check(folder, _):
        expect([(post["id"], post["tags"]) for post in posts(folder)] == [("1", ["paris"]), ("2", [])], posts(folder))
    before = types(examples["dashboard"]) + OPEN + 'let file = URL(filePath: "posts.csv")\n'
    table = 'id,blogName,body,tags\n1,b,A walk,"[""paris""]"\n2,b,"A run, too",[]\n'
    return Surroundings(check, before=before, files={"posts.csv": table})


@example("csv-titles")
def csv_titles(examples):
    def check(folder, said):
        expect([(post["id"], post["tags"]) for post in posts(folder)] == [("Fog", ["1983"]), ("Rain", ["1932"])], posts(folder))
        expect(said.endswith("/bad.csv:2:7 (byte 24): line 2.Year: expected an integer, found text\n"), said)
    # The example again, with a field that is no number.
    body = examples["csv-titles"]
    before = types(examples["dashboard"]) + OPEN + f"""
@MainActor func read(_ file: URL) throws {{
{body}}}
do {{ try read(URL(filePath: "bad.csv")) }} catch {{ print(error) }}
let file = URL(filePath: "books.csv")
"""
    books = "Author,Title,Year\nMaugham,Rain,1932\nHerbert,Fog,1983\n"
    return Surroundings(check, before=before, files={"books.csv": books, "bad.csv": "Author,Title,Year\nH,Fog,x\n"})


@example("conflict")
def conflict(examples):
    def check(folder, said):
        expect(said == '["posts 1, body"]\n', said)
        expect([post["body"] for post in posts(folder)] == ["A walk by night"], posts(folder))
    return Surroundings(check, before=with_a_post(examples))


@example("export")
def export(examples):
    def check(folder, _):
        expect((folder / "posts.csv").read_text() == "id,text\n1,A walk\n", (folder / "posts.csv").read_text())
        expect(plistlib.loads((folder / "copy.plist").read_bytes())["posts"] == posts(folder), "the copy in XML")
    return Surroundings(check, before=with_a_post(examples))


@example("import")
def importing(examples):
    before = types(examples["dashboard"]) + OPEN.replace("let url", "let file").replace("at: url", "at: file")

    def check(folder, said):
        expect("2 posts so far" in said, said)
        expect([post["id"] for post in posts(folder)] == ["1", "2"], posts(folder))
    return Surroundings(check, before=before + 'let url = URL(filePath: "posts.ndjson")\n', files={"posts.ndjson": LINE % 1 + LINE % 2})
