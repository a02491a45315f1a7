<?php
// Decodes a urlencoded body from stdin by PHP's own rules, as the service does, and prints it as JSON.
parse_str(stream_get_contents(STDIN), $form);
echo json_encode($form, JSON_THROW_ON_ERROR);
