"""The choice of the contrast of weights beside the colour bar, with a suggestion if most cells are dark."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from attnviz.definitions.contrasts import CONTRASTS
from attnviz.gui.forms.editor import ComboBox
from attnviz.gui.widgets.layouts import row_of
from attnviz.gui.widgets.words import translate

_TIP = Qt.ItemDataRole.ToolTipRole


class ContrastChoice(QWidget):
    """Shows the range of the colours of weights."""

    chosen = Signal(str)
    """The name of a record of `CONTRASTS`; "" is 0 to 1."""

    def __init__(self) -> None:
        super().__init__()
        self.box = ComboBox()
        self.box.setObjectName("low")
        self.box.setAccessibleName(self.tr("Colours of weights run"))
        self.box.setToolTip(self.tr("The range that the colours of weights span"))
        self.box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.addItem(self.tr("0 to 1"), "")
        self.box.setItemData(0, self.tr("The same colour is the same weight in every picture"), _TIP)
        for name, record in CONTRASTS.items():
            self.box.addItem(translate(record.title), name)
            self.box.setItemData(self.box.count() - 1, translate(record.help), _TIP)
        self.offer = QToolButton()
        """The contrast that shows more, where most cells are dark."""
        self.offer.setObjectName("low")
        self.offer.hide()
        row_of(self, self.box, self.offer, gap=6)
        self.box.activated.connect(self._choose)
        self.offer.clicked.connect(self._take_offer)

    @property
    def value(self) -> str:
        """The name of the contrast shown; "" is 0 to 1."""
        return str(self.box.currentData())

    def show_contrast(self, contrast: str, offered: str) -> bool:
        """Show a contrast, and the suggested one, "" for none; return whether it needs another width."""
        before = self.sizeHint()
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.box.findData(contrast))
        self._offered = offered
        self.offer.setVisible(bool(offered))
        if offered:
            title = translate(CONTRASTS[offered].title)
            self.offer.setText(self.tr("Brighten"))
            self.offer.setToolTip(self.tr("Most cells are dark. Scale colours: {0}").format(title))
            self.offer.setAccessibleName(self.offer.toolTip())
        return self.sizeHint() != before

    def choose(self, contrast: str) -> None:
        """Choose a contrast as if the user had chosen it."""
        self.box.setCurrentIndex(self.box.findData(contrast))
        self._choose()

    _offered = ""

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.value)

    @Slot()
    def _take_offer(self) -> None:
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to disappear
        self.choose(self._offered)
