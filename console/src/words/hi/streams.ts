// Voice bots that callers talk with.
import type { Translation } from '../catalogue.ts';
import type { streams as en } from '../en/streams.ts';

export const streams: Translation<typeof en> = {
  'streams.title': 'वॉइस बॉट',
  'streams.intro': 'WebSocket से कॉलर को दोनों दिशाओं में वॉइस बॉट से जोड़ता है।',
  'streams.new': 'नया वॉइस बॉट',
  'streams.empty.title': 'अभी कोई वॉइस बॉट नहीं',
  'streams.empty.text': 'अपने या किसी प्रदाता के बॉट को कॉलरों से बात करने दें।',
  'streams.url': 'URL',
  'streams.url.hint': 'wss। {name} की जगह उस नाम का चर आता है; होस्ट तय रहता है।',
  'streams.disclosure': 'सूचना, जो पहले सुनाई जाती है',
  'streams.disclosure.none': 'कोई नहीं: कॉलर को नहीं बताया जाता कि यह मशीन है',
  'streams.parameters': 'पैरामीटर',
  'streams.parameters.hint': 'जुड़ते समय बॉट को कॉल के बारे में जो बताया जाता है।',
  'streams.parameter': 'पैरामीटर',
  'streams.secret': 'गुप्त कुंजी',
  'streams.secret.hint': 'वेबहुक की तरह अनुरोध पर हस्ताक्षर करती है। खाली: जो सहेजा है वही रहता है।',
  'streams.seconds': 'अधिकतम सेकंड',
  'streams.seconds.hint': 'उसके बाद कॉल ऐसे आगे बढ़ती है मानो बॉट ने बातचीत समाप्त की हो।',
  'streams.destinations': 'गंतव्य',
  'streams.destinations.hint': 'बॉट कॉलर को कहाँ भेज सकता है। बाकी सब अस्वीकार होते हैं।',
  'streams.destination': 'गंतव्य',
  'streams.next': 'फिर',
  'streams.next.hint': 'जब बॉट बातचीत समाप्त करता है।',
  'streams.failed': 'असफल होने पर',
  'streams.failed.hint': 'बॉट तक पहुँचा नहीं जा सकता, या कनेक्शन टूट जाता है।',
};
