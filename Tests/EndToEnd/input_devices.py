"""Input devices for tests: a pointer, or the keyboard alone."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait


class Pointer:
    """Clicks with a pointer and types."""

    def __init__(self, browser):
        self.driver = browser.driver

    def activate(self, element):
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def write(self, element, text):
        element.clear()
        element.send_keys(text)

    def choose(self, element, value):
        Select(element).select_by_value(value)

    def tick(self, element):
        if not element.is_selected():
            self.activate(element)


class Keyboard:
    """Moves the focus with Tab and presses keys on the focused element."""

    # More Tab stops than any page has.
    PATIENCE = 150

    def __init__(self, browser):
        self.driver = browser.driver

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def reach(self, element):
        """Presses Tab until the element has the focus, which must be visible."""
        for _ in range(self.PATIENCE):
            if self.driver.switch_to.active_element == element:
                # A busy browser activates its window, and shows the focus, a moment later.
                WebDriverWait(self.driver, 10).until(
                    lambda driver: driver.execute_script(
                        "return arguments[0].matches(':focus-visible')", element),
                    "no focus is shown")
                return
            self.press(Keys.TAB)
        raise AssertionError(f"Tab never leads to {element.get_attribute('outerHTML')[:200]}")

    def activate(self, element):
        self.reach(element)
        self.press(Keys.ENTER)

    def write(self, element, text):
        self.reach(element)
        if element.get_attribute("type") != "date":
            all = ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL)
            all.send_keys(Keys.DELETE).perform()
        self.press(text)

    def choose(self, element, value):
        self.reach(element)
        option = element.find_element(By.CSS_SELECTOR, f"option[value='{value}']")
        label = option.get_property("text").strip()
        if element.get_property("value") != value:
            self.press(label)
        assert element.get_property("value") == value

    def tick(self, element):
        self.reach(element)
        if not element.is_selected():
            self.press(Keys.SPACE)
