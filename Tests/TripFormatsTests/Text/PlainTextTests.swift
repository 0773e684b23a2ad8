import Testing

@testable import TripFormats

@Suite("Plain text of markup")
struct PlainTextTests {
    @Test(
        "Markup goes, and its lines and links stay",
        arguments: [
            (
                "<p>Meet at <b>gate 3</b>&nbsp;at 9</p><a href=\"https://t.example/a\">Ticket</a>",
                "Meet at gate 3 at 9\nTicket (https://t.example/a)"
            ), ("Tour &amp; tasting", "Tour & tasting"), ("one<br>two<BR/>three", "one\ntwo\nthree"),
            (
                "<a href='https://t.example/?a=1&amp;b=2'>https://t.example/?a=1&amp;b=2</a>",
                "https://t.example/?a=1&b=2"
            ),
            ("<a href=\"mailto:ana@x.example\">ana@x.example</a>", "ana@x.example"),
            ("<a href=\"https://t.example\"><img src=\"x\"></a>", "https://t.example"),
            ("<style>p { x }</style><div>Caf&eacute;</div><div></div><div>&#8364; 3</div>", "Café\n€ 3"),
            ("<ul><li>a</li><li>b</li></ul>", "a\nb"), ("a<!-- no -->b<script>x<y</script>c", "abc"),
            ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
            ("<HTML><HEAD><TITLE>Page</TITLE></HEAD><BODY>Text</BODY></HTML>", "Text"),
            ("<STYLE>p { x }</Style\n>a<b>b</b>", "ab"), ("<html><head><p>Text", "Text"), ("a<br>b<script>c", "a\nbc"),
        ])
    func markup(text: String, plain: String) { #expect(PlainText.of(text) == plain) }

    @Test(
        "Text that is no markup stays as it is",
        arguments: [
            "1 < 2 & 3 > 2", "Ana <ana@x.example>", "<https://t.example>", "AT&T", "a\n\n\n b ", "&unknown;", "<3", "",
            "x &", "<a", "if a<b then", "a <b and c> d", "<!-- ",
            "take the <title> of the page", "a <script> in the <head>, or a <style>",
        ])
    func plain(text: String) { #expect(PlainText.of(text) == text) }

    @Test("Tags that are not closed, in any number, take no time")
    func hostile() {
        for part in ["<a", "<!--", "<script>", "&", "<a href=\"", "<p "] {
            let text = String(repeating: part, count: 100_000)
            #expect(PlainText.of(text).utf8.count <= text.utf8.count)
        }
    }

    @Test("Text for programs is JSON, a truth value or a line of signs")
    func machine() {
        for text in ["[{\"@type\":\"FlightReservation\"}]", "{}", "TRUE", "-::~:~::~:~:~"] {
            #expect(MachineText.isSilent(text), "\(text)")
        }
        for text in ["[Flight] TP 555", "{see below}", "Double, courtyard", "0", "2027", "a - b"] {
            #expect(!MachineText.isSilent(text), "\(text)")
        }
    }
}
