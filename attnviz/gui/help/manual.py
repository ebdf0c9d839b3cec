"""The manual beside the picture: the pages of resources/help, with their links, back navigation, and a search."""

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QTextBrowser, QWidget

from attnviz.definitions.labs import help_pages
from attnviz.gui.help.places import HelpPlace, anchors_of, page_file, page_text
from attnviz.gui.language import language_now
from attnviz.gui.theme import LIGHT, Look
from attnviz.gui.widgets.buttons import tiny_button
from attnviz.gui.widgets.labels import caption
from attnviz.gui.widgets.layouts import column_of, row_of


class Manual(QWidget):
    """Shows one page at a time. Its button emits `close_asked`; the window hides it."""

    close_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("manual")
        self.setAccessibleName(self.tr("Manual"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.place = HelpPlace("")
        """What is shown."""
        self._history: list[HelpPlace] = []
        self._look = Look(LIGHT)
        self._language = language_now()
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(self.tr("Manual"))
        self.text.anchorClicked.connect(self._follow)
        self.back = tiny_button(self.tr("Back"), self.go_back, self.tr("The previous place"))
        contents = tiny_button(self.tr("Contents"), self._go_to_contents, self.tr("The first page"))
        close = tiny_button(self.tr("Close"), self.close_asked, self.tr("Back to the inspector (Esc)"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the manual"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.search.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.search.returnPressed.connect(self._find)
        self.said = caption(wraps=True)
        self.said.hide()
        buttons: QHBoxLayout = row_of(None, self.back, contents, None, close)
        lines = column_of(self, buttons, self.search, self.said, self.text, wide=(self.text,))
        lines.setContentsMargins(12, 12, 12, 8)

    def restyle(self, look: Look) -> None:
        """Apply a theme and type scale."""
        self._look = look
        page, self.place = self.place, HelpPlace("")
        if page.page:
            self._show(page)  # links take the theme's colour when the text is parsed

    def go(self, place: HelpPlace) -> None:
        """Show a section; `go_back` returns to the previous one."""
        if self.place.page and place != self.place:
            self._history.append(self.place)
        self._show(place)

    @Slot()
    def go_back(self) -> None:
        """Show the previous section."""
        if self._history:
            self._show(self._history.pop())

    @Slot()
    def _go_to_contents(self) -> None:
        self.go(HelpPlace(help_pages()[0]))

    def _show(self, place: HelpPlace) -> None:
        if place.page != self.place.page:
            self.text.setSearchPaths([str(page_file(place.page, self._language).parent)])  # the folder of its pictures
            self.text.setMarkdown(page_text(place.page, self._language))
            self._space_out()
        self.place = place
        self.back.setEnabled(bool(self._history))
        self.said.hide()
        heading = self._heading(place)
        if heading is None:
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self.text.verticalScrollBar().setValue(0)
        else:
            self._scroll_to(QTextCursor(heading))

    def _space_out(self) -> None:
        """Give headings the window's type, paragraphs a margin, and the page room to scroll any line to the top."""
        document = self.text.document()
        title, heading = self._look.font("large", bold=True), self._look.font(bold=True)
        block = document.begin()
        while block.isValid():
            cursor, layout = QTextCursor(block), block.blockFormat()
            level = layout.headingLevel()
            layout.setTopMargin(self._look.px(16 if level > 1 else 0))
            layout.setBottomMargin(self._look.px(6))
            cursor.setBlockFormat(layout)
            if level:
                letters = QTextCharFormat()
                letters.setFont(title if level == 1 else heading)
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                cursor.mergeCharFormat(letters)
            block = block.next()
        page = document.rootFrame().frameFormat()
        page.setBottomMargin(self.text.viewport().height())
        document.rootFrame().setFrameFormat(page)

    def _heading(self, place: HelpPlace) -> QTextBlock | None:
        headings, block = [], self.text.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                headings.append(block)
            block = block.next()
        return dict(zip(anchors_of(place.page), headings, strict=True)).get(place.anchor)

    def _scroll_to(self, cursor: QTextCursor) -> None:
        """Scroll a line to the top, as far as the page allows."""
        self.text.setTextCursor(cursor)
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + self.text.cursorRect(cursor).top())

    @Slot(QUrl)
    def _follow(self, link: QUrl) -> None:
        if link.scheme():
            QDesktopServices.openUrl(link)
        else:
            page = link.path().removesuffix(".md") or self.place.page
            self.go(HelpPlace(page, link.fragment()))

    @Slot()
    def _find(self) -> None:
        """Show the next occurrence of the search text, on this page or a later one."""
        wanted = self.search.text().strip()
        if not wanted or self.text.find(wanted):
            self.said.hide()
            return
        pages = help_pages()
        at = pages.index(self.place.page)
        for page in (*pages[at + 1 :], *pages[: at + 1]):
            if wanted.casefold() in page_text(page, self._language).casefold():
                self.go(HelpPlace(page))
                self.text.moveCursor(QTextCursor.MoveOperation.Start)
                if self.text.find(wanted):
                    return
        self.said.setText(self.tr("Nothing found for “{0}”.").format(wanted))
        self.said.show()
